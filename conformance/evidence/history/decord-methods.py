"""Decord: arrays have neither __dlpack__ nor __dlpack_device__.

Exit status 1: the fault is there.
"""

import sys

import numpy
from decord import ndarray

array = ndarray.array(numpy.arange(3, dtype="float32"))
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not hasattr(array, name)]
print("missing:", missing)
sys.exit(bool(missing))
