"""PyTorch: a device that it has no backend for is refused by another exception than BufferError.

Exit status 1: the fault is there.
"""

import sys

import torch

ROCM = 10
try:
    capsule = torch.arange(3.0).__dlpack__(max_version=(1, 0), dl_device=(ROCM, 0))
except BufferError as error:
    print("BufferError:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    sys.exit(1)
print("exported:", capsule)
