"""nanoarrow 0.5 and later: views of immutable buffers, which have one axis."""

import nanoarrow
import numpy
import ordered_memory
import refusals


def version():
    return nanoarrow.__version__


def make(spec):
    refusals.check(spec, "nanoarrow", refusals.NUMBERS, readonly=True)
    if len(spec.shape) != 1 or spec.strides not in (None, (1,)):
        raise NotImplementedError("nanoarrow has compact buffers of one axis only")
    memory = spec.bytes if spec.strides is None else ordered_memory.of(spec)
    return nanoarrow.c_buffer(numpy.frombuffer(memory, spec.dtype)[spec.offset :]).view()


class Exported:
    """A source with DLPack's methods only, because c_buffer prefers the buffer protocol."""

    def __init__(self, source):
        self.__dlpack__ = source.__dlpack__
        self.__dlpack_device__ = source.__dlpack_device__


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("nanoarrow.c_buffer has no device and no copy")
    return nanoarrow.c_buffer(Exported(source)).view()


def contents(view):
    return bytes(view)


def write(view, data):
    raise TypeError("nanoarrow's buffers are immutable")


standard = "dlpack"
