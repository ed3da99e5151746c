"""PyTorch 2.0: tensors of bool are not exported.

Exit status 1: the fault is there.
"""

import sys

import torch

array = torch.zeros(3, dtype=torch.bool)
try:
    print("exported:", array.__dlpack__())
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(1)
