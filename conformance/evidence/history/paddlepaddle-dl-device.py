"""PaddlePaddle: a device that cannot be served is refused by NotImplementedError, not by BufferError.

Exit status 1: the fault is there.
"""

import sys

import paddle

paddle.set_device("cpu")
tensor = paddle.to_tensor([1.0])
try:
    capsule = tensor.__dlpack__(dl_device=(10, 0))
except BufferError as error:
    print("BufferError:", error)
    sys.exit(0)
except Exception as error:
    print(type(error).__name__)
    sys.exit(1)
print("exported:", capsule)
