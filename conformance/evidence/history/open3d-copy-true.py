"""Open3D: from_dlpack(copy=True) shares the memory of the source.

Exit status 1: the fault is there.
"""

import sys

import numpy
from open3d.core import Tensor as Array

array = numpy.arange(3.0)
copy = Array.from_dlpack(array, copy=True)
array[0] = 99
print("the source begins with 99, what copy=True gave with", copy[0].item())
sys.exit(copy[0].item() == 99)
