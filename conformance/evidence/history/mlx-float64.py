"""MLX: an import rounds 64-bit floats to 32 bits.

Exit status 1: the fault is there.
"""

import sys

import mlx.core as mx
import numpy

source = numpy.array([1 / 3])
array = mx.from_dlpack(source)
print(source.dtype, "became", array.dtype)
sys.exit(array.dtype != mx.float64)
