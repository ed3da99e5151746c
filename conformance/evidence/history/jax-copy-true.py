"""JAX: from_dlpack(copy=True) shares the memory of the source.

Exit status 1: the fault is there.
"""

import sys

import jax
import numpy

memory = numpy.zeros(128, "uint8")
start = -memory.ctypes.data % 64  # JAX takes data that is aligned to 64 bytes as it is
array = memory[start : start + 32].view("float32")
copy = jax.dlpack.from_dlpack(array, copy=True)
copy.block_until_ready()
array[0] = 99
print("the source begins with 99, what copy=True gave with", copy[0])
sys.exit(float(copy[0]) == 99)
