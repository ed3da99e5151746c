"""NumPy 1.26: from_dlpack does not take the keywords of the 2023.12 edition.

Exit status 1: the fault is there.
"""

import sys

import numpy

try:
    numpy.from_dlpack(numpy.arange(3), device=None, copy=None)
except TypeError as error:
    print("TypeError:", error)
    sys.exit(1)
print("imported")
