"""Dr.Jit: __dlpack__ takes no keyword but stream.

Exit status 1: the fault is there.
"""

import sys

import numpy
from drjit.llvm import TensorXf

array = TensorXf(numpy.arange(3, dtype="float32"))
try:
    capsule = array.__dlpack__(stream=None, max_version=None, dl_device=None, copy=None)
except TypeError as error:
    print("TypeError:", str(error).splitlines()[0])
    sys.exit(1)
print("exported:", capsule)
