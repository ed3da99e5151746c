"""TVM FFI: a request for a version below 1.0 runs into a method that does not exist.

Exit status 1: the fault is there.
"""

import sys

import numpy
import tvm_ffi

array = tvm_ffi.from_dlpack(numpy.arange(3.0))
try:
    capsule = array.__dlpack__(max_version=(0, 8))
except BufferError as error:
    print("refused:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
print("exported:", capsule)
sys.exit(0)
