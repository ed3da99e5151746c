"""PyArrow 21: read-only memory goes out in a capsule that cannot say so.

Exit status 1: the fault is there.
"""

import sys

import numpy
import pyarrow

array = numpy.arange(6.0)
array.flags.writeable = False
tensor = pyarrow.Tensor.from_numpy(array)
try:
    capsule = tensor.__dlpack__()
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(0)
print("exported:", capsule, "of memory that may not be written")
sys.exit(1)
