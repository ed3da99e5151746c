"""PyTorch 2.2: a reversed array ends the process.

Exit status 0: the fault is not there. With the fault the process is aborted by an exception in C++.
"""

import numpy
import torch

try:
    tensor = torch.from_dlpack(numpy.arange(5.0)[::-1])
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
else:
    print("imported:", tensor)
