"""cuda.core: StridedMemoryView, a view of other libraries' memory (here NumPy's) that is exported and imported again.

Elements are read through the address and strides that the view reports, not through DLPack.
"""

import ctypes
import itertools
import math

import numpy_orders
import refusals
from cuda import core
from cuda.core.utils import StridedMemoryView

NO_SYNC = -1


def version():
    return core.__version__


def make(spec):
    refusals.check(spec, "NumPy", numpy_orders.DTYPES, readonly=True)
    return StridedMemoryView.from_dlpack(numpy_orders.array(spec), stream_ptr=NO_SYNC)


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("StridedMemoryView.from_dlpack has no device and no copy")
    return StridedMemoryView.from_dlpack(source, stream_ptr=NO_SYNC)


def contents(view):
    if view.__dlpack_device__()[0] != 1:
        raise NotImplementedError("only host memory can be read")
    if not view.ptr and view.size:
        raise NotImplementedError("the view leads to NULL")
    if view.dtype is None:
        raise NotImplementedError("NumPy has no such dtype, so that the view does not tell the size of its elements")
    size, first, shape = view.dtype.itemsize, view.ptr, view.shape or ()
    strides = row_major(shape) if view.strides is None else view.strides  # None: the elements are compact
    indices = itertools.product(*map(range, shape))
    return b"".join(ctypes.string_at(first + size * sum(map(int.__mul__, each, strides)), size) for each in indices)


def row_major(shape):
    return [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]


standard = "dlpack"
