"""MLX 0.32 and later, on the CPU. Arrays are lazy; those made here are evaluated."""

import mlx.core as mx
import numpy
import ordered_memory
import refusals

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64"
DTYPES = {name: getattr(mx, name + "_" if name == "bool" else name) for name in NAMES.split()}
mx.set_default_device(mx.cpu)


def version():
    return mx.__version__


def make(spec):
    refusals.check(spec, "MLX", DTYPES)
    if spec.strides is None or not spec.bytes:
        array = array_of(spec.bytes, DTYPES[spec.dtype]).reshape(spec.shape)
    elif any(stride < 0 for stride in spec.strides):
        raise NotImplementedError("MLX makes no views with negative strides")
    else:
        memory = array_of(ordered_memory.of(spec), DTYPES[spec.dtype])
        array = mx.as_strided(memory, spec.shape, spec.strides, spec.offset)
    mx.eval(array)
    return array


def array_of(data, dtype):
    return mx.array(numpy.frombuffer(data, "uint8")).view(dtype)


def from_dlpack(source, **kwargs):
    return mx.from_dlpack(source, **kwargs)


def contents(array):
    return memoryview(array).tobytes() if array.size else b""  # at the array's own strides


def normalised(array):
    return bytes(memoryview(mx.contiguous(array).reshape(-1).view(mx.uint8))) if array.size else b""


def write(array, data):
    array[...] = array_of(data, array.dtype).reshape(array.shape)
    mx.eval(array)


def states(array):
    return {"lazy": mx.stack([array])[0]}  # not evaluated
