"""Elements for arrays that the parent did not order: finite, normal and distinct as far as the dtype allows."""

import itertools
import re
import struct
import types

from dlspec_worker.facts import elements

_FLOATS = {"float16": "e", "float32": "f", "float64": "d"}
_PARTS = {"complex32": "float16", "complex64": "float32", "complex128": "float64", "bcomplex32": "bfloat16"}


def order(like, **changes):
    """An order with other fields, and elements that go with them."""
    made = types.SimpleNamespace(**{**vars(like), **changes})
    made.bytes = contents(made)
    return made


def plain_order(like, dtype="float32"):
    """An order for a small, writable array in the library's default layout, which every library can make."""
    return order(like, dtype=dtype, shape=(3, 4), strides=None, offset=0, readonly=False)


def contents(made):
    """The elements in C order; indices that share a place hold the same value."""
    strides = elements.row_major(made.shape) if made.strides is None else made.strides
    places = [
        sum(index * stride for index, stride in zip(indices, strides))
        for indices in itertools.product(*map(range, made.shape))
    ]
    first = min(places, default=0)
    places = [place - first for place in places]
    bits = elements.bits_of(made.dtype)
    if bits < 8:
        return elements.pack([(place + 3) % (1 << bits) for place in places], bits)
    return b"".join(_element(made.dtype, place) for place in places)


def _element(dtype, place):
    lanes = re.fullmatch(r"(\w*\d)x(\d+)", dtype)
    if lanes:
        return b"".join(_element(lanes[1], place * int(lanes[2]) + lane) for lane in range(int(lanes[2])))
    if dtype in _PARTS:
        return _element(_PARTS[dtype], 2 * place) + _element(_PARTS[dtype], 2 * place + 1)
    if dtype == "bool":
        return bytes([place * 7 % 3 % 2])
    if dtype == "bfloat16":
        return struct.pack("<f", 1.0 + place)[2:]
    if dtype in _FLOATS:
        return struct.pack("<" + _FLOATS[dtype], 0.5 + place)
    if dtype.startswith("float8"):
        return bytes([0x10 + place % 0x50])
    size = elements.bits_of(dtype) // 8
    return (3 + place * 5 % 100).to_bytes(size, "little")
