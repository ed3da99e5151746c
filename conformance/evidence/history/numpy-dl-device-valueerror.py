"""NumPy 2.3: a device that cannot be served raises ValueError.

Exit status 1: the fault is there.
"""

import sys

import numpy

array = numpy.arange(3)
try:
    capsule = array.__dlpack__(dl_device=(10, 0))
except BufferError as error:
    print("refused:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
print("exported:", capsule)
sys.exit(1)
