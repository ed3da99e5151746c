"""Producers whose tensors are described in unusual ways: one row each, with what permits it."""

import ctypes

import memories
import structs
from producers import Adapter, Array

UNUSED = "dlpack.h, DLTensor.strides: steps that no index takes"
SIGNED = "dlpack.h, DLTensor.strides: signed numbers"
LOWEST = -(1 << 63)


def rotated(shape):
    """Neither row-major nor column-major: the first axis is the outermost, the second the innermost."""
    if len(shape) < 3:
        return structs.row_major(shape)
    inner = structs.row_major((shape[0], *shape[2:], shape[1]))
    return (inner[0], inner[-1], *inner[1:-1])


def planes_apart(shape):
    if len(shape) < 2:
        return structs.row_major(shape)
    return (structs.row_major(shape)[0] + 5, *structs.row_major(shape)[1:])


def last_reversed(shape):
    strides = structs.row_major(shape)
    return (*strides[:-1], -strides[-1]) if shape else ()


def first_reversed(shape):
    strides = structs.row_major(shape)
    return (-strides[0], *strides[1:]) if shape else ()


def primes(shape):
    """Strides with no common divisor, far enough apart that no two elements meet."""
    strides, step = [], 1
    for number, extent in enumerate(reversed(shape)):
        strides.insert(0, step)
        step = step * extent + (7, 11, 13, 17)[number % 4]
    return tuple(strides)


class EmptyOnes(Array):
    """Empty arrays have the strides `empty`, unless others were ordered."""

    def __init__(self, order, odd):
        self.ordered = order.strides is not None
        super().__init__(order, odd)

    def meaningless(self, strides):
        if 0 in self.shape and not self.ordered:
            return (self.odd["empty"],) * len(self.shape)
        return super().meaningless(strides)

    def memory_of(self, data, before=0, strides=None):
        if 0 not in self.shape:
            return super().memory_of(data, before, strides)
        memory = super().memory_of(data, before, structs.row_major(self.shape))
        memory.strides = self.strides
        return memory


class Scalars(Array):
    """Scalars show the addresses `scalar` in place of their lists, which have no items."""

    def fill(self, tensor, memory, nullable):
        kept = super().fill(tensor, memory, nullable)
        if not self.shape:
            for name, address in self.odd["scalar"].items():
                setattr(tensor, name, address)
        return kept


class OffsetOfNothing(Array):
    def fill(self, tensor, memory, nullable):
        kept = super().fill(tensor, memory, nullable)
        if 0 in self.shape:
            tensor.byte_offset = 192
        return kept


class SharedTables(Array):
    """All exports show the same lists, which the array made once."""

    def tables(self, memory):
        if memory is not self.memory:
            return super().tables(memory)
        if "made" not in self.__dict__:
            self.made = super().tables(memory)
        return self.made


class Everlasting(Array):
    """Lists are made once for each shape, and are never freed."""

    KNOWN = {}

    def tables(self, memory):
        key = (self.shape, memory.strides)
        if key not in self.KNOWN:
            self.KNOWN[key] = super().tables(memory)
        return self.KNOWN[key]


class LongTables(Array):
    """Lists with room for 64 axes, and rubbish behind those that there are."""

    def tables(self, memory):
        return [(ctypes.c_int64 * 80)(*each, *[-0x0101010101010101] * 16) for each in (self.shape, memory.strides)]


class BytesTables(Array):
    """Lists in bytes objects, which nobody may write to."""

    def tables(self, memory):
        rank, lists = max(1, len(self.shape)), []
        for each in (self.shape, memory.strides):
            held = b"".join(step.to_bytes(8, "little", signed=True) for step in each or (0,)) + b"end"
            place = ctypes.cast(ctypes.c_char_p(held), ctypes.c_void_p).value
            made = (ctypes.c_int64 * rank).from_address(place)
            made.held = held
            lists.append(made)
        return lists


class StridesFirst(Array):
    """One block: strides, then extents."""

    def tables(self, memory):
        rank = len(self.shape)
        block = (ctypes.c_int64 * (2 * rank + 1))(*memory.strides, *self.shape)
        lists = [(ctypes.c_int64 * max(1, rank)).from_buffer(block, 8 * first) for first in (rank, 0)]
        return lists if rank else [block, block]


class Headed(Array):
    """The lists stand in front of the elements, in their block, as a header of the array."""

    def tables(self, memory):
        rank = max(1, len(self.shape))
        lists = [(ctypes.c_int64 * rank).from_address(memory.front + 512 * number) for number in range(2)]
        for made, values in zip(lists, (self.shape, memory.strides)):
            made[: len(values)] = values
        return lists


ROWS = {
    "the second axis is the innermost": (
        Adapter(strides=rotated),
        "dlpack.h, DLTensor.strides: any order of axes is a matter of strides",
    ),
    "planes apart, rows together": (Adapter(strides=planes_apart), "dlpack.h, DLTensor.strides: gaps are allowed"),
    "the last axis reversed": (Adapter(strides=last_reversed), SIGNED),
    "the first axis reversed": (Adapter(strides=first_reversed), SIGNED),
    "strides without a common divisor": (
        Adapter(strides=primes),
        "dlpack.h, DLTensor.strides: any numbers of elements",
    ),
    "the lowest stride there is, of axes of one element": (
        Adapter(unused_stride=LOWEST),
        "dlpack.h, DLTensor.strides: a step that no index takes",
    ),
    "huge strides of empty arrays": (Adapter(EmptyOnes, empty=1 << 62), UNUSED),
    "negative strides of empty arrays": (Adapter(EmptyOnes, empty=-1), UNUSED),
    "NULL shape of scalars, strides that are none": (
        Adapter(Scalars, scalar={"shape": 0}),
        "dlpack.h 1.2, DLTensor.shape: can be NULL when ndim is 0",
    ),
    "NULL strides of scalars, shape that is none": (
        Adapter(Scalars, scalar={"strides": 0}),
        "dlpack.h 1.2, DLTensor.strides: must not be NULL when ndim is not 0",
    ),
    "lists of scalars that point nowhere": (
        Adapter(Scalars, scalar={"shape": 64, "strides": 64}),
        "dlpack.h, DLTensor.shape: ndim numbers, here none",
    ),
    "an offset into nothing": (
        Adapter(OffsetOfNothing),
        "dlpack.h, DLTensor.data: only data is NULL when the size is zero",
    ),
    "an offset of three bytes": (
        Adapter(byte_offset=3, before=256),
        "dlpack.h, DLTensor.byte_offset: bytes, and data with no alignment to rely on",
    ),
    "lists that all exports share": (Adapter(SharedTables), "dlpack.h, DLTensor.shape: nothing says whose list it is"),
    "lists that are never freed": (Adapter(Everlasting), "dlpack.h, deleter: destructs what backs the tensor alone"),
    "lists with rubbish behind their end": (Adapter(LongTables), "dlpack.h, DLTensor.shape: ndim numbers count"),
    "lists in bytes objects": (Adapter(BytesTables), "dlpack.h, DLTensor.shape: borrowed, not for writing"),
    "strides in front of the shape": (Adapter(StridesFirst), "dlpack.h, DLTensor: two pointers in no order"),
    "lists in front of the elements": (
        Adapter(Headed, memory=memories.OneBlock),
        "dlpack.h, DLTensor: nothing says where lists and data lie",
    ),
}
