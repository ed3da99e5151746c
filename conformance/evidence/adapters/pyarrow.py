"""PyArrow 15 and later: arrays for one axis, tensors for the rest."""

import numpy
import ordered_memory
import pyarrow
import refusals
from numpy.lib.stride_tricks import as_strided


def version():
    return pyarrow.__version__


def make(spec):
    refusals.check(spec, "PyArrow", refusals.NUMBERS, readonly=True)  # its elements of one bit are no DLPack bool
    values = numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)
    if len(spec.shape) == 1 and spec.strides in (None, (1,)):
        return pyarrow.array(numpy.concatenate([numpy.zeros(spec.offset, values.dtype), values])).slice(spec.offset)
    if not hasattr(pyarrow.Tensor, "__dlpack__"):
        raise NotImplementedError("this release of PyArrow exports compact arrays of one axis only")
    array = values.copy() if spec.strides is None else placed(spec)
    if spec.readonly:
        array.flags.writeable = False
    try:
        return pyarrow.Tensor.from_numpy(array)
    except pyarrow.ArrowInvalid as reason:
        raise NotImplementedError(f"PyArrow makes no such tensor: {reason}") from None


def placed(spec):
    memory = numpy.frombuffer(ordered_memory.of(spec), spec.dtype)
    return as_strided(memory[spec.offset :], spec.shape, [stride * memory.itemsize for stride in spec.strides])


def from_dlpack(source, **kwargs):
    if not hasattr(pyarrow.Tensor, "from_dlpack"):
        raise NotImplementedError("this release of PyArrow imports nothing")
    return pyarrow.Tensor.from_dlpack(source, **kwargs)


def view(array):
    return array.to_numpy() if isinstance(array, pyarrow.Tensor) else array.to_numpy(zero_copy_only=False)


def contents(array):
    return view(array).tobytes()


def write(array, data):
    values = view(array)
    values[...] = numpy.frombuffer(data, values.dtype).reshape(values.shape)


standard = "dlpack"
