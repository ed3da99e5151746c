"""PaddlePaddle 2.6: arrays have neither __dlpack__ nor __dlpack_device__.

Exit status 1: the fault is there.
"""

import sys

import paddle

array = paddle.zeros([3])
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not hasattr(array, name)]
print("missing:", missing)
sys.exit(bool(missing))
