"""Shared by adapters whose libraries view memory through strides: the memory of an order."""

import itertools


def of(spec):
    """Just enough bytes to hold the elements at the ordered strides and offset; the gaps are 0."""
    indices = itertools.product(*map(range, spec.shape))
    places = [spec.offset + sum(i * stride for i, stride in zip(index, spec.strides)) for index in indices]
    size = len(spec.bytes) // max(1, len(places))
    memory = bytearray(size * (max(places, default=-1) + 1))
    for n, place in enumerate(places):
        memory[place * size : (place + 1) * size] = spec.bytes[n * size : (n + 1) * size]
    return memory
