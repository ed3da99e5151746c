"""Elements for arrays that the parent did not order: finite, normal and distinct as far as the dtype allows."""

import functools
import itertools
import math
import struct
import types

from dlspec_worker.facts import elements

LARGE = 1 << 20  # bytes
MANY = 1024  # elements: some libraries read one after the other
POOL = 4093  # elements that repeat in a large array: a prime, so that no two rows are alike

_FLOATS = {"float16": "e", "float32": "f", "float64": "d"}
_PARTS = {"complex32": "float16", "complex64": "float32", "complex128": "float64", "bcomplex32": "bfloat16"}


def changed(like, **changes):
    """An order with other fields, and the same elements."""
    return types.SimpleNamespace(**{**vars(like), **changes})


def order(like, **changes):
    """An order with other fields, and elements that go with them."""
    made = changed(like, **changes)
    made.bytes = contents(made)
    return made


RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33)  # at which short lists end that libraries keep inside their arrays


def vector_of_rank(like, rank, extent):
    """An order for a vector of so many elements behind axes of length 1."""
    return order(like, shape=(1,) * (rank - 1) + (extent,), strides=None, offset=0)


def plain_order(like, dtype="float32"):
    """An order for a small, writable array in the library's default layout, which every library can make."""
    return order(like, dtype=dtype, shape=(3, 4), strides=None, offset=0, readonly=False)


def neighbours(like):
    """Orders of another array, the first that can be made counts: of other extents, compact, and of another dtype.

    Read-only where this one is not.
    """
    shape = (4, 5) if len(like.bytes) >= LARGE else _grown(like.shape)
    dtype = "float64" if like.dtype != "float64" else "int32"
    for changes in ({"dtype": dtype, "readonly": not like.readonly}, {"readonly": not like.readonly}, {}):
        yield order(like, shape=shape, strides=None, offset=0, **changes)


def crowd(like):
    """Orders of arrays that differ from this one in one respect each, compact and of few elements."""
    single, lanes = elements.vector(like.dtype) or (like.dtype, 1)
    other = "uint" if single.startswith("int") else "int"
    changes = [
        {"dtype": f"{other}{elements.bits_of(single)}"},
        {"dtype": f"{single}x2" if lanes == 1 else single},
        {"dtype": "complex128" if like.dtype != "complex128" else "int8"},
        {"shape": (3, 0)},
    ]
    plain = plain_order(like, like.dtype)
    for each in changes:
        yield order(plain, **each)
    scalar = order(plain, shape=())
    yield changed(scalar, bytes=bytes([scalar.bytes[0] ^ 1]) + scalar.bytes[1:])  # not the value that any scalar has


def lookalikes(like):
    """The orders of compact arrays of as many elements, each with words for it.

    One has the extents in reversed order, and one the same elements on other axes, as read-only as these.
    """
    extents = tuple(reversed(like.shape))
    yield order(like, shape=extents, strides=None, offset=0, readonly=False), "with the extents in reversed order"
    if len(like.bytes) < LARGE:
        axes = (math.prod(like.shape),) if len(like.shape) > 1 else (*like.shape, 1)
        yield changed(like, shape=axes, strides=None, offset=0), "with the same elements on other axes"


def _grown(shape):
    """Every extent is larger by one, or the first alone: of ten axes all together would be a thousand times as many."""
    every = tuple(extent + 1 for extent in shape)
    return every if math.prod(every) <= MANY else (shape[0] + 1, *shape[1:])


def large(like, least=LARGE):
    """The order of an array of more than `least` bytes in the same layout: its first and its last axis are longer."""
    size, growth = elements.bits_of(like.dtype) // 8, [1] * len(like.shape)
    if len(growth) > 1:
        growth[0] = 11
    growth[-1] *= -(-least // (size * elements.count_of(like) * growth[0])) + 1
    shape = tuple(extent * times for extent, times in zip(like.shape, growth))
    strides = like.strides and tuple(
        stride * math.prod(times for other, times in zip(like.strides, growth) if abs(other) < abs(stride))
        for stride in like.strides
    )
    offset = like.offset + _reach_below(shape, strides) - _reach_below(like.shape, like.strides)
    pool = order(like, shape=(POOL,), strides=None, offset=0).bytes
    count = size * math.prod(shape)
    return changed(like, shape=shape, strides=strides, offset=offset, bytes=(pool * (count // len(pool) + 1))[:count])


def _reach_below(shape, strides):
    """How many elements lie below element (0, ..., 0)."""
    return sum(max(0, -stride) * (extent - 1) for extent, stride in zip(shape, strides or ()))


def part(like):
    """(index, order): array[1:, 1:], but the whole of axes of one element, of such an array."""
    starts = [int(extent > 1) for extent in like.shape]
    compact = elements.row_major(like.shape)
    strides, size = like.strides or compact, elements.bits_of(like.dtype) // 8
    shape = tuple(extent - start for extent, start in zip(like.shape, starts))
    places = [
        sum((start + index) * step for start, index, step in zip(starts, indices, compact))
        for indices in itertools.product(*map(range, shape))
    ]
    data = b"".join(like.bytes[place * size : (place + 1) * size] for place in places)
    offset = like.offset + sum(start * stride for start, stride in zip(starts, strides))
    index = tuple(slice(start, None) for start in starts)
    return index, changed(like, shape=shape, strides=strides, offset=offset, bytes=data)


def contents(made):
    """The elements in C order; indices that share a place hold the same value."""
    strides = elements.row_major(made.shape) if made.strides is None else made.strides
    # A copy each time: an array may be made over these bytes, and a faulty library writes to it.
    return bytes(bytearray(_contents(made.dtype, tuple(made.shape), tuple(strides))))


# Cases ask for the same few hundred arrays over and over; element by element they are a third of what paths cost.
@functools.lru_cache(maxsize=512)
def _contents(dtype, shape, strides):
    places = list(elements.places(shape, strides))
    first = min(places, default=0)
    single, lanes = elements.vector(dtype) or (dtype, 1)
    return _elements(single, [(place - first) * lanes + lane for place in places for lane in range(lanes)])


def _elements(dtype, places):
    bits = elements.bits_of(dtype)
    if bits < 8:
        return elements.pack([(place + 3) % (1 << bits) for place in places], bits)
    if dtype in _PARTS:
        return _elements(_PARTS[dtype], [2 * place + part for place in places for part in range(2)])
    if dtype == "bool":
        return bytes(place * 7 % 3 % 2 for place in places)
    if dtype == "bfloat16":
        return b"".join(struct.pack("<f", 1.0 + place)[2:] for place in places)
    if dtype in _FLOATS:
        return struct.pack(f"<{len(places)}{_FLOATS[dtype]}", *(0.5 + place for place in places))
    if dtype.startswith("float8"):
        return bytes(0x10 + place % 0x50 for place in places)
    return b"".join((3 + place * 5 % 100).to_bytes(bits // 8, "little") for place in places)
