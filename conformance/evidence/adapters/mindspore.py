"""MindSpore 2.10 and later, on the CPU: exports and imports by functions, which are documented for Ascend alone."""

import mindspore
import numpy
import ordered_memory
import refusals
from mindspore.ops.auto_generate import AsStrided

DTYPES = refusals.NUMBERS | {"bfloat16"}
mindspore.set_device("CPU")
mindspore.runtime.launch_blocking()  # else errors are raised by a later call


def version():
    return mindspore.__version__


def make(spec):
    refusals.check(spec, "MindSpore's DLPack", DTYPES, strides="not negative")
    if spec.strides is None or not spec.bytes:
        return tensor_of(spec.bytes, spec.dtype).reshape(spec.shape)
    return AsStrided()(tensor_of(ordered_memory.of(spec), spec.dtype), spec.shape, spec.strides, spec.offset)


def tensor_of(data, dtype):
    if dtype != "bfloat16":
        return mindspore.Tensor(numpy.frombuffer(data, dtype))
    return mindspore.Tensor(numpy.frombuffer(data, "uint16")).view(mindspore.bfloat16)


def to_dlpack(tensor):
    return mindspore.to_dlpack(tensor)


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("mindspore.from_dlpack has no device and no copy")
    return mindspore.from_dlpack(source.__dlpack__())


def contents(tensor):
    return bytes(tensor.get_bytes())


def write(tensor, data):
    tensor.copy_(tensor_of(data, str(tensor.dtype).lower()).reshape(tensor.shape))


standard = "dlpack"
