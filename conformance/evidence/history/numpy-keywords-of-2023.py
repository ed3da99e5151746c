"""NumPy 1.26: __dlpack__ does not take the keywords of the 2023.12 edition.

Exit status 1: the fault is there.
"""

import sys

import numpy

array = numpy.arange(3)
try:
    capsule = array.__dlpack__(stream=None, max_version=None, dl_device=None, copy=None)
except BufferError as error:
    print("refused:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
print("exported:", capsule)
sys.exit(0)
