"""JAX 0.5: an array that DLPack has no dtype for is refused by another exception than BufferError.

Exit status 1: the fault is there.
"""

import sys

import jax.numpy

array = jax.numpy.zeros(3, jax.numpy.float8_e4m3fn)
try:
    print("exported:", array.__dlpack__())
except BufferError as error:
    print("BufferError:", error)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
