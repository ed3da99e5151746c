"""Open3D 0.19: tensors of bool are not exported.

Exit status 1: the fault is there.
"""

import sys

import numpy
import open3d

array = open3d.core.Tensor.from_numpy(numpy.zeros(3, bool))
try:
    print("exported:", array.to_dlpack())
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(1)
