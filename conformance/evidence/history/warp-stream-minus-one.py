"""Warp: stream=-1 is taken for host memory.

Exit status 1: the fault is there.
"""

import sys

import warp

warp.init()

array = warp.array([1.0, 2.0, 3.0], dtype=warp.float32, device="cpu")
try:
    capsule = array.__dlpack__(stream=-1)
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(0)
print("exported:", capsule)
sys.exit(1)
