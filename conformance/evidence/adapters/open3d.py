"""Open3D 0.17 and later: tensors over NumPy's memory. Up to 0.19 it had functions in place of the methods."""

import numpy
import open3d
import ordered_memory
import refusals
from numpy.lib.stride_tricks import as_strided
from open3d.core import Tensor


def version():
    return open3d.__version__


def make(spec):
    refusals.check(spec, "Open3D", refusals.NUMBERS - {"float16"} | {"bool"})
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
