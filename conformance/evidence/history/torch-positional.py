"""PyTorch 2.2: __dlpack__ takes stream by position.

Exit status 1: the fault is there.
"""

import sys

import torch

array = torch.zeros(3)
try:
    capsule = array.__dlpack__(None)
except TypeError as error:
    print("TypeError:", str(error).splitlines()[0])
    sys.exit(0)
print("exported:", capsule)
sys.exit(1)
