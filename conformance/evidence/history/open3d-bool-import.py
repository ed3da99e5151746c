"""Open3D 0.19: tensors of bool are not imported.

Exit status 1: the fault is there.
"""

import sys

import numpy
from open3d.core import Tensor as Array

print("the library's own:", Array([True, False]))
values = numpy.array([True, False])


class Source:
    def __dlpack__(self, **keywords):
        return values.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


try:
    print("imported:", Array.from_dlpack(Source().__dlpack__()))
except Exception as error:
    print(f"refused: {type(error).__name__}: {str(error).splitlines()[0]}")
    sys.exit(1)
