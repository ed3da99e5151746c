"""A conforming adapter for dlspec's own package. Each fake starts from this one and adds one fault."""

import dlspec


def version():
    return "1.0"


def make(spec):
    return dlspec.tensor(spec.bytes, spec.dtype, spec.shape, spec.strides, spec.offset, spec.readonly)


def from_dlpack(source, **kwargs):
    return dlspec.from_dlpack(source, **kwargs)


def contents(array):
    return array.tobytes()


def is_reversed(spec):
    """The orders on which the fakes misbehave: one layout of many, so that the others must still be judged."""
    return bool(spec.strides) and spec.strides[0] < 0
