"""Open3D: __dlpack__ takes stream by position.

Exit status 1: the fault is there.
"""

import sys

import numpy
import open3d

array = open3d.core.Tensor.from_numpy(numpy.arange(3, dtype="float32"))
try:
    capsule = array.__dlpack__(None)
except TypeError as error:
    print("TypeError:", str(error).splitlines()[0])
    sys.exit(0)
print("exported:", capsule)
sys.exit(1)
