"""NVIDIA Warp 1.3 and later: arrays of one to four axes, over NumPy's memory or on a GPU."""

import os

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
    if spec.device[0] != CPU:
        return moved(values, spec)
    array = values.copy() if spec.strides is None else placed(spec)
    return warp.array(array, dtype=DTYPES[spec.dtype], shape=spec.shape, device="cpu", copy=False)


CPU, CUDA, PINNED = 1, 2, 3


def moved(values, spec):
    """A compact array in the memory that a device stands for."""
    if spec.device[0] not in (CUDA, PINNED):
        raise NotImplementedError(f"Warp has no memory of device type {spec.device[0]}")
    if not warp.is_cuda_available():
        raise NotImplementedError("Warp finds no GPU")
    if spec.strides is not None:
        raise NotImplementedError("the adapter makes only compact arrays there")
    kind = DTYPES[spec.dtype]
    if spec.device[0] == PINNED:
        return warp.array(values, dtype=kind, shape=spec.shape, device="cpu", pinned=True)
    return warp.array(values, dtype=kind, shape=spec.shape, device=f"cuda:{spec.device[1]}")


def on_stream(number):
    return warp.ScopedStream(warp.Stream(os.environ.get("DLSPEC_DEVICE", "cuda:0"), cuda_stream=number))


def queue_copy(array):
    return warp.clone(array)


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
