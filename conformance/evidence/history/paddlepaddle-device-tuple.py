"""PaddlePaddle: the second item of __dlpack_device__ is None.

Exit status 1: the fault is there.
"""

import sys

import paddle

paddle.set_device("cpu")
device = paddle.to_tensor([1.0]).__dlpack_device__()
print(device)
sys.exit(not isinstance(device[1], int))
