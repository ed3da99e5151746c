"""JAX 0.5: a device that cannot be served is refused by RuntimeError, not by BufferError.

Exit status 1: the fault is there.
"""

import sys

import jax.numpy

array = jax.numpy.zeros(3)
try:
    capsule = array.__dlpack__(dl_device=(10, 0))
except BufferError as error:
    print("BufferError:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
print("exported:", capsule)
