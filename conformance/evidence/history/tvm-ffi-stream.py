"""TVM FFI: a stream is taken for host memory.

Exit status 1: the fault is there.
"""

import sys

import numpy
import tvm_ffi

array = tvm_ffi.from_dlpack(numpy.arange(3.0))
try:
    capsule = array.__dlpack__(stream=1)
except BufferError as error:
    print("refused:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(0)
print("exported:", capsule)
sys.exit(1)
