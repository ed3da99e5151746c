"""array-api-strict: the array API standard and nothing more, as a thin layer over NumPy's arrays."""

import array_api_strict
import numpy
from numpy.lib.stride_tricks import as_strided

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
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
)


def version():
    return array_api_strict.__version__


def make(spec):
    if spec.dtype not in DTYPES:
        raise NotImplementedError(f"the array API has no {spec.dtype}")
    if spec.readonly:
        raise NotImplementedError("the array API has no read-only arrays")
    values = numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)
    return array_api_strict.asarray(values.copy() if spec.strides is None else placed(values, spec))


def placed(values, spec):
    """The values at the ordered strides and offset, in memory that is just long enough."""
    reach = sum(max(0, (extent - 1) * stride) for extent, stride in zip(spec.shape, spec.strides))
    memory = numpy.zeros(spec.offset + reach + 1, values.dtype)
    array = as_strided(memory[spec.offset :], spec.shape, [stride * memory.itemsize for stride in spec.strides])
    array[...] = values
    return array


def from_dlpack(source, **kwargs):
    return array_api_strict.from_dlpack(source, **kwargs)


def dtype_name(array):
    return str(array.dtype).rpartition(".")[2]


def contents(array):
    name = dtype_name(array)
    number = bool if name == "bool" else complex if "complex" in name else float if "float" in name else int
    return numpy.array([number(array[index]) for index in numpy.ndindex(*array.shape)], name).tobytes()


def write(array, data):
    values = numpy.frombuffer(data, dtype_name(array)).reshape(array.shape)
    array[...] = array_api_strict.asarray(values)


standard = "array-api"
