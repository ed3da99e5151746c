"""PyArrow: the copy of a tensor with gaps holds other elements.

Exit status 1: the fault is there.
"""

import sys

import numpy
import pyarrow

# In the middle of a larger array, because what is copied reaches beyond the tensor's own elements.
whole = numpy.arange(40.0, dtype="float32").reshape(5, 8)
tensor = pyarrow.Tensor.from_numpy(whole[:3, ::2])
print("the tensor  ", tensor.to_numpy().tolist())


class Copied:
    def __dlpack__(self, **keywords):
        return tensor.__dlpack__(max_version=(1, 0), copy=True)

    def __dlpack_device__(self):
        return tensor.__dlpack_device__()


copy = numpy.from_dlpack(Copied())
print("its copy    ", copy.tolist(), "with strides", copy.strides)
sys.exit(copy.tolist() != tensor.to_numpy().tolist())
