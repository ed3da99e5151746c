"""MLX: from_dlpack does not take device.

Exit status 1: the fault is there.
"""

import sys

import mlx.core as mx
import numpy

try:
    array = mx.from_dlpack(numpy.arange(3), device=None, copy=None)
except TypeError as error:
    print("TypeError:", str(error).splitlines()[0])
    sys.exit(1)
print("imported:", array)
