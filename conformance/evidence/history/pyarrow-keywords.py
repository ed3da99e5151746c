"""PyArrow 21: __dlpack__ takes no keyword but stream.

Exit status 1: the fault is there.
"""

import sys

import pyarrow

array = pyarrow.array([1.0, 2.0])
try:
    capsule = array.__dlpack__(stream=None, max_version=None, dl_device=None, copy=None)
except TypeError as error:
    print("TypeError:", str(error).splitlines()[0])
    sys.exit(1)
print("exported:", capsule)
