"""Open3D 0.17 and later: tensors over NumPy's memory. Up to 0.19 it had functions in place of the methods."""

import numpy
import open3d
import ordered_memory
from numpy.lib.stride_tricks import as_strided
from open3d.core import Tensor

DTYPES = frozenset(
    ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
)


def version():
    return open3d.__version__


def make(spec):
    if spec.dtype not in DTYPES:
        raise NotImplementedError(f"Open3D has no {spec.dtype}")
    if spec.readonly:
        raise NotImplementedError("Open3D has no read-only tensors")
    values = numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)
    return Tensor.from_numpy(values.copy() if spec.strides is None else placed(spec))


def placed(spec):
    memory = numpy.frombuffer(ordered_memory.of(spec), spec.dtype)
    return as_strided(memory[spec.offset :], spec.shape, [stride * memory.itemsize for stride in spec.strides])


if hasattr(Tensor, "__dlpack__"):

    def from_dlpack(source, **kwargs):
        return Tensor.from_dlpack(source, **kwargs)

else:

    def to_dlpack(tensor):
        return tensor.to_dlpack()

    def from_dlpack(source, **kwargs):
        if kwargs:
            raise NotImplementedError("Tensor.from_dlpack has no device and no copy")
        return Tensor.from_dlpack(source.__dlpack__())


def contents(tensor):
    return tensor.numpy().tobytes()


def write(tensor, data):
    values = tensor.numpy()
    values[...] = numpy.frombuffer(data, values.dtype).reshape(values.shape)


standard = "dlpack"
