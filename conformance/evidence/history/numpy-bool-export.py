"""NumPy 1.24: arrays of bool are not exported.

Exit status 1: the fault is there.
"""

import sys

import numpy

array = numpy.zeros(3, bool)
try:
    print("exported:", array.__dlpack__())
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(1)
