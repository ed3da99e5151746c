"""JAX: an immutable array goes out in a capsule that cannot say so.

Exit status 1: the fault is there.
"""

import sys

import jax.numpy

array = jax.numpy.zeros(3)
try:
    capsule = array.__dlpack__(max_version=(1, 0))
except BufferError as error:
    print("refused:", error)
    sys.exit(0)
print("exported:", capsule)
sys.exit('"dltensor"' in repr(capsule))
