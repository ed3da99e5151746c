"""What the fakes are when they behave: an adapter for dlspec's own package. Each fake takes this and spoils one thing."""

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
    """The orders that the fakes misbehave on: one layout of many, so that the others show what is still judged."""
    return bool(spec.strides) and spec.strides[0] < 0
