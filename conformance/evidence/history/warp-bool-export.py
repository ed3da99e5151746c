"""Warp 1.3: arrays of bool are not exported.

Exit status 1: the fault is there.
"""

import sys

import warp

array = warp.zeros(3, dtype=warp.bool, device="cpu")
try:
    print("exported:", array.__dlpack__())
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(1)
