"""PyArrow: dl_device that is no tuple is answered with BufferError.

Exit status 1: the fault is there.
"""

import sys

import numpy
import pyarrow

tensor = pyarrow.Tensor.from_numpy(numpy.arange(6.0).reshape(2, 3))
try:
    tensor.__dlpack__(dl_device=7)
except BufferError as error:
    print("BufferError:", error)
    sys.exit(1)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
