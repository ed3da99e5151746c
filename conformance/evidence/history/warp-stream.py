"""Warp 1.3: a stream is accepted for host memory.

Exit status 1: the fault is there.
"""

import sys

import warp

array = warp.zeros(3, dtype=warp.float32, device="cpu")
try:
    print("exported:", array.__dlpack__(stream=1))
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(0)
sys.exit(1)
