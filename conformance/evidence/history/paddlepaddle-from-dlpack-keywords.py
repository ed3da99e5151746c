"""PaddlePaddle 3.2: from_dlpack takes neither device nor copy.

Exit status 1: the fault is there.
"""

import sys

import numpy
import paddle

try:
    array = paddle.from_dlpack(numpy.arange(3.0), device=None, copy=None)
except TypeError as error:
    print("TypeError:", str(error).splitlines()[0])
    sys.exit(1)
print("imported:", array)
