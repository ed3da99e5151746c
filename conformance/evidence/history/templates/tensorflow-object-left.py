"""Every import leaves a Python object behind."""

import gc
import sys

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
verdict(many > 2000, f"blocks left behind by 1,000 and by 3,000 imports: {few}, {many}")
