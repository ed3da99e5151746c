"""PyArrow: a tensor that cannot be exported without flags is refused by another exception than BufferError.

Exit status 1: the fault is there.
"""

import sys

import numpy
import pyarrow

array = numpy.arange(6.0).reshape(2, 3)
array.flags.writeable = False
try:
    capsule = pyarrow.Tensor.from_numpy(array).__dlpack__()
except BufferError as error:
    print("BufferError:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
print("exported:", capsule)
