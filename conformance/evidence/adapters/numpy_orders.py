"""Shared by adapters that fill their library's arrays from NumPy's."""

import numpy
from numpy.lib import stride_tricks

# Names of an order that NumPy has, too.
DTYPES = frozenset(
    (
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64", "complex64", "complex128"),
    )
)


def values(spec):
    """The ordered contents, compact; not to be written to."""
    return numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape)


def array(spec):
    """The ordered contents at the ordered strides and offset, read-only where that is ordered."""
    made = values(spec).copy() if spec.strides is None else placed(values(spec), spec)
    if spec.readonly:
        made.flags.writeable = False
    return made


def placed(contents, spec, zeros=numpy.zeros, as_strided=stride_tricks.as_strided):
    """The contents at the ordered strides and offset, in memory that is just long enough."""
    span = sum(max(0, (extent - 1) * stride) for extent, stride in zip(spec.shape, spec.strides))
    memory = zeros(spec.offset + span + 1, contents.dtype)
    view = as_strided(memory[spec.offset :], spec.shape, [stride * memory.itemsize for stride in spec.strides])
    view[...] = contents
    return view
