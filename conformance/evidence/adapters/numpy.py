"""NumPy 1.22 and later: the first release with from_dlpack."""

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
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
)


def version():
    return numpy.__version__


def make(spec):
    if spec.dtype not in DTYPES:
        raise NotImplementedError(f"NumPy has no {spec.dtype}")
    values = numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)
    array = values.copy() if spec.strides is None else placed(values, spec)
    if spec.readonly:
        array.flags.writeable = False
    return array


def placed(values, spec):
    """The values at the ordered strides and offset, in memory that is just long enough."""
    reach = sum(max(0, (extent - 1) * stride) for extent, stride in zip(spec.shape, spec.strides))
    memory = numpy.zeros(spec.offset + reach + 1, values.dtype)
    array = as_strided(memory[spec.offset :], spec.shape, [stride * memory.itemsize for stride in spec.strides])
    array[...] = values
    return array


def odd(kind, spec):
    values = numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)
    if kind == "byte-order":
        return values.astype(values.dtype.newbyteorder())
    if kind == "record-field":
        records = numpy.zeros(spec.shape, [("field", values.dtype), ("other", "u1")])
        records["field"] = values
        return records["field"]
    if kind == "dtype":
        return numpy.zeros(spec.shape, "datetime64[s]")
    raise NotImplementedError(f"NumPy has no {kind} arrays")


def from_dlpack(source, **kwargs):
    return numpy.from_dlpack(source, **kwargs)


def contents(array):
    return array.astype(array.dtype.newbyteorder("="), copy=False).tobytes()


def write(array, data):
    array[...] = numpy.frombuffer(data, array.dtype).reshape(array.shape)


standard = "array-api"
