"""PaddlePaddle: from_dlpack of an object without the DLPack methods raises ValueError, not AttributeError.

Exit status 1: the fault is there.
"""

import sys

import paddle

try:
    paddle.from_dlpack(object())
except AttributeError as error:
    print("AttributeError:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
