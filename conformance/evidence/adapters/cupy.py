"""CuPy 13 and later. It imports anywhere, but its arrays live on a GPU."""

import cupy
import numpy

DTYPES = frozenset(
    [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
)
if not cupy.cuda.is_available():
    raise NotImplementedError("CuPy's arrays need an NVIDIA GPU and its driver")


def version():
    return cupy.__version__


def make(spec):
    if tuple(spec.device) != (2, cupy.cuda.runtime.getDevice()):
        raise NotImplementedError("CuPy's arrays lie in GPU memory")
    if spec.dtype not in DTYPES:
        raise NotImplementedError(f"CuPy has no {spec.dtype}")
    if spec.readonly:
        raise NotImplementedError("CuPy has no read-only arrays")
    values = cupy.asarray(numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape))
    return values if spec.strides is None else placed(values, spec)


def placed(values, spec):
    """The values at the ordered strides and offset, in memory that is just long enough."""
    reach = sum(max(0, (extent - 1) * stride) for extent, stride in zip(spec.shape, spec.strides))
    memory, size = cupy.zeros(spec.offset + reach + 1, values.dtype), values.itemsize
    array = cupy.lib.stride_tricks.as_strided(memory[spec.offset :], spec.shape, [size * s for s in spec.strides])
    array[...] = values
    return array


def from_dlpack(source, **kwargs):
    return cupy.from_dlpack(source, **kwargs)


def contents(array):
    return cupy.asnumpy(array).tobytes()


def write(array, data):
    array[...] = cupy.asarray(numpy.frombuffer(data, array.dtype).reshape(array.shape))
