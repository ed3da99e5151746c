"""NVIDIA Warp 1.3 and later, on the CPU: arrays of one to four axes over NumPy's memory."""

import numpy
import ordered_memory
import refusals
import warp
from numpy.lib.stride_tricks import as_strided

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64"
DTYPES = {name: getattr(warp, name) for name in NAMES.split() if hasattr(warp, name)}
warp.config.quiet = True
warp.init()


def version():
    return warp.config.version


def make(spec):
    refusals.check(spec, "Warp, filled by NumPy,", DTYPES)
    if not 1 <= len(spec.shape) <= 4:
        raise NotImplementedError("Warp has arrays of one to four axes")
    values = numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)
    array = values.copy() if spec.strides is None else placed(spec)
    return warp.array(array, dtype=DTYPES[spec.dtype], shape=spec.shape, device="cpu", copy=False)


def placed(spec):
    memory = numpy.frombuffer(ordered_memory.of(spec), spec.dtype)
    return as_strided(memory[spec.offset :], spec.shape, [stride * memory.itemsize for stride in spec.strides])


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("warp.from_dlpack has no device and no copy")
    return warp.from_dlpack(source)


def contents(array):
    return array.numpy().tobytes()


def write(array, data):
    array.numpy()[...] = numpy.frombuffer(data, array.numpy().dtype).reshape(array.shape)


def states(array):
    if array.dtype not in (DTYPES["float32"], DTYPES["float64"]):
        return {}
    return {"gradient": warp.clone(array, requires_grad=True)}


standard = "dlpack"
