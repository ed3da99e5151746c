"""JAX 0.5: copy=False is not passed on.

Exit status 1: the fault is there.
"""

import sys

import jax
import jax.dlpack
import jax.numpy


class MustCopy:
    def __dlpack__(self, *, copy=None, **keywords):
        print("asked for copy =", copy)
        if copy is False:
            raise BufferError("this source can only copy")
        return (jax.numpy.arange(3.0) + 0).__dlpack__()

    def __dlpack_device__(self):
        return jax.numpy.zeros(1).__dlpack_device__()


try:
    print("imported:", jax.dlpack.from_dlpack(MustCopy(), copy=False))
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(0)
sys.exit(1)
