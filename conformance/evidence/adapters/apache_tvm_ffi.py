"""TVM FFI: its tensors come from other libraries (here NumPy); it cannot fill one itself.

Contents are read and written through the address and strides that the tensor reports, not through DLPack.
"""

import ctypes
import itertools

import numpy_orders
import refusals
import tvm_ffi


def version():
    return tvm_ffi.__version__


def make(spec):
    refusals.check(spec, "TVM FFI, filled by NumPy,", refusals.NUMBERS | {"bool"})
    return tvm_ffi.from_dlpack(numpy_orders.array(spec))


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("tvm_ffi.from_dlpack has no device and no copy")
    return tvm_ffi.from_dlpack(source)


def pieces(tensor):
    """(address, length) of each element in C order; packed elements are one piece."""
    if tensor.device.dlpack_device_type() != 1:
        raise NotImplementedError("only host memory can be read")
    if not hasattr(tensor, "data_ptr"):
        raise NotImplementedError("this release of TVM FFI does not give addresses")
    bits = tensor.dtype.bits * tensor.dtype.lanes
    if bits % 8:
        return [(tensor.data_ptr(), (tensor.numel() * bits + 7) // 8)]
    size, first, strides = bits // 8, tensor.data_ptr(), tensor.strides
    indices = itertools.product(*map(range, tensor.shape))
    return [(first + size * sum(i * stride for i, stride in zip(index, strides)), size) for index in indices]


def contents(tensor):
    return b"".join(ctypes.string_at(*piece) for piece in pieces(tensor))


def write(tensor, data):
    rest = iter(data)
    for address, size in pieces(tensor):
        ctypes.memmove(address, bytes(itertools.islice(rest, size)), size)


standard = "dlpack"
