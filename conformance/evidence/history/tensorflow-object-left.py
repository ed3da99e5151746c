"""TensorFlow 2.15: every import leaves a Python object behind.

Exit status 1: the fault is there.
"""

import gc
import sys

import numpy
import tensorflow

values = numpy.arange(3.0)


def left(rounds):
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(rounds):
        tensorflow.experimental.dlpack.from_dlpack(values.__dlpack__())
    gc.collect()
    return sys.getallocatedblocks() - before


left(1000)
few, many = left(1000), left(3000)
print("blocks left behind by 1,000 and by 3,000 imports:", few, many)
sys.exit(many > 2000)
