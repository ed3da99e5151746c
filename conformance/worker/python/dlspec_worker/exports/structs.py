"""Structs whose layout is not the one that their capsule's name promises, and shapes that are not int64_t.

Such a struct must not be read field by field. It is recognised by where the ordered numbers lie in memory, and no
pointer is followed that cannot be read.
"""

import collections
import math
import struct

from dlspec_worker.facts.dlpack import FLAGS_DEFINED, HOST, LARGEST_RANK
from dlspec_worker.facts.elements import bits_of, places, row_major
from dlspec_worker.observing import memory

# What is wrong, and the rule that is reported for it; it masks everything else about the export.
Fault = collections.namedtuple("Fault", "rule observed allowed")
# Sizes and offsets in bytes; tables_test.py compares them with abi.h.
SIZE = {"legacy": 64, "versioned": 80}
TENSOR = {"legacy": 0, "versioned": 32}  # where the DLTensor lies in the managed struct
DELETER = {"legacy": 56, "versioned": 16}
CONTEXT = {"legacy": 48, "versioned": 8}
DEVICE, NDIM, DTYPE, SHAPE, STRIDES, BYTE_OFFSET = 8, 16, 20, 24, 32, 40  # within a DLTensor
TENSOR_SIZE = 48
LONGEST_SCAN = 128


def fault_of(order, generation, address):
    """The fault of the struct at `address` that should hold the ordered array, or None."""
    if address % 8:
        return None  # alignment is a finding of its own
    raw = memory.peek(address, SIZE[generation])
    if raw is None:
        return _short_fault(generation, address)
    if generation == "versioned":
        major, minor = struct.unpack_from("<II", raw)
        if major != 1 and major <= 1000 and not (major == 0 and minor > 1000):
            return None  # another major version: nothing more is read
    base = TENSOR[generation]
    if _holds_shape(order, raw, base):
        return _deleter_fault(generation, address, raw) or _strides_fault(order, raw, base)
    if _describes_elements(order, raw, base):
        # In another shape, as pairs of float4: nothing lies elsewhere.
        return _deleter_fault(generation, address, raw)
    return _misplaced_fault(order, generation, address, raw) or _array_fault(order, raw, base)


def _short_fault(generation, address):
    # A DLTensor alone is shorter than any managed struct.
    if memory.is_visible() and memory.peek(address, TENSOR_SIZE) is not None:
        return Fault(
            "capsule.pointer-type",
            f"behind {TENSOR_SIZE} bytes, the size of a DLTensor, memory ends",
            "a pointer to the managed struct",
        )
    return None


def _word(raw, offset):
    return struct.unpack_from("<Q", raw, offset)[0]


def _int64s(numbers):
    return struct.pack(f"<{len(numbers)}q", *numbers)


def _holds_shape(order, raw, base):
    rank = struct.unpack_from("<i", raw, base + NDIM)[0]
    if rank != len(order.shape):
        return False
    return rank == 0 or memory.peek(_word(raw, base + SHAPE), 8 * rank) == _int64s(order.shape)


def _is_function(pointer):
    return pointer == 0 or memory.is_code(pointer)


def _deleter_fault(generation, address, raw):
    """The fault of a deleter that cannot be called. NULL is no fault."""
    if _is_function(_word(raw, DELETER[generation])):
        return None
    context = _word(raw, CONTEXT[generation])
    if generation == "legacy" and not (context and _is_function(context)):
        return _pointer_fault(address)
    observed = f"no function stands at byte {DELETER[generation]} of the struct, where the deleter should be"
    return Fault("abi.sizes-offsets", observed, "every field at its place in dlpack.h")


def _pointer_fault(address):
    return tensor_alone(" inside a managed struct" if _follows_prefix(address) else "")


def tensor_alone(where=""):
    observed = f"the capsule's pointer leads to a DLTensor{where}"
    return Fault("capsule.pointer-type", observed, "a pointer to the managed struct")


def _follows_prefix(address):
    """True when this address follows version, manager_ctx, deleter and flags of a versioned struct."""
    prefix = memory.peek(address - TENSOR["versioned"], TENSOR["versioned"])
    if prefix is None:
        return False
    major, minor, _, deleter, flags = struct.unpack("<IIQQQ", prefix)
    return major == 1 and minor < 100 and deleter != 0 and memory.is_code(deleter) and flags <= FLAGS_DEFINED


def _misplaced_fault(order, generation, address, raw):
    """A struct whose pointer to the ordered shape stands elsewhere."""
    place = _place_of_shape(order, generation, address)
    if place is None or place == TENSOR[generation] + SHAPE:
        return None
    if generation == "legacy" and place == TENSOR["versioned"] + SHAPE and _word(raw, 0) & 0xFFFFFFFF == 1:
        version = struct.unpack_from("<II", raw)
        observed = f'what is named "dltensor" begins with version {version[0]}.{version[1]} where data should be'
        return Fault("capsule.name-matches-struct", observed, "the struct that belongs to the name")
    if generation == "versioned" and place == SHAPE:
        return _tensor_first_fault(address)
    return _shift_fault(order, generation, address, place)


def _tensor_first_fault(address):
    """A DLTensor at the start of what is named "dltensor_versioned"."""
    behind = memory.peek(address + DELETER["legacy"], 8)
    if not _follows_prefix(address) and behind is not None and _word(behind, 0) and _is_function(_word(behind, 0)):
        observed = 'what is named "dltensor_versioned" begins with a pointer where the version should be'
        return Fault("capsule.name-matches-struct", observed, "the struct that belongs to the name")
    return _pointer_fault(address)


def _place_of_shape(order, generation, address):
    """Where in the struct a pointer to the ordered shape stands, or None."""
    wanted = _int64s(order.shape)
    # One extent alone stands in many places: a reference count of 7 looks like the shape (7,).
    if len(order.shape) < 2 or order.bytes.startswith(wanted):
        return None  # no shape to look for, or data that begins like it
    expected = TENSOR[generation] + SHAPE
    # manager_ctx belongs to the exporter, and may point to a copy of the shape.
    places = [expected] + [place for place in range(0, LONGEST_SCAN, 8) if place not in (expected, CONTEXT[generation])]
    for place in places:
        word = memory.peek(address + place, 8)
        if word is not None and memory.peek(_word(word, 0), len(wanted)) == wanted:
            return place
    return None


def _shift_fault(order, generation, address, place):
    base = TENSOR[generation]
    head = memory.peek(address + base, 32)
    expected = base + SHAPE
    allowed = f"shape at byte {expected}, as in dlpack.h"
    observed = f"the pointer to shape stands at byte {place} of the struct"
    in_front = struct.unpack_from("<ii", head, DEVICE) == tuple(order.device) and struct.unpack_from("<i", head, NDIM)[
        0
    ] == len(order.shape)
    # A 64-bit rank puts its zero upper half in front of an intact dtype.
    wide_rank = head[20:24] == bytes(4) and head[25] and head[26:28] != bytes(2)
    if in_front and place > expected and not wide_rank:
        taken = place - base - DTYPE
        return Fault(
            "abi.dtype-4-bytes",
            f"{observed}: dtype and what pads it take {taken} bytes",
            "4 bytes: code and bits of 8 bits, lanes of 16",
        )
    return Fault("abi.sizes-offsets", observed, allowed)


def _array_fault(order, raw, base):
    """A shape of 32-bit numbers."""
    pointer = _word(raw, base + SHAPE)
    rank = struct.unpack_from("<i", raw, base + NDIM)[0]
    if rank != len(order.shape) or pointer == 0 or pointer % 8:
        return None
    if memory.is_visible() and memory.peek(pointer, 4 * rank) is None:
        return Fault("tensor.shape-nonnull", "shape points to memory that cannot be read", f"{rank} readable extents")
    return _narrow_fault("shape", order.shape, pointer)


def _narrow_fault(what, numbers, pointer):
    return (
        Fault("abi.shape-int64", f"{what} points to numbers of 32 bits", "an array of int64_t")
        if _are_narrow(numbers, pointer) and not is_vague(numbers)
        else None
    )


def _are_narrow(numbers, pointer):
    """True when numbers of 32 bits with these values stand at the address."""
    if not numbers or any(abs(number) >= 1 << 31 for number in numbers):
        return False
    narrow = struct.pack(f"<{len(numbers)}i", *numbers)
    return memory.peek(pointer, len(narrow)) == narrow


def is_vague(numbers):
    """True when an upper half is 0 or all ones, as in a small 64-bit number: the widths cannot be told apart."""
    return any(number in (0, -1) for number in numbers[1::2])


def _strides_fault(order, raw, base):
    """Strides of 32 bits, strides that end too early, or that cannot be read."""
    rank, pointer = len(order.shape), _word(raw, base + STRIDES)
    if rank == 0 or pointer == 0 or pointer % 8 or not memory.is_visible():
        return None
    read = memory.peek(pointer, 8 * rank)
    expected = order.strides if order.strides is not None else row_major(order.shape)
    if read is None:
        observed = f"{rank} strides cannot be read where strides points to"
        return Fault("tensor.strides-length", observed, f"{rank} readable numbers")
    if read == _int64s(expected) or (is_vague(expected) and _are_narrow(expected, pointer)):
        return None
    found = struct.unpack(f"<{rank}q", read)
    fault = _narrow_fault("strides", expected, pointer) or _cut_fault(order, found, expected)
    return None if fault and _leads_to_elements(order, raw, base, bits_of(order.dtype), order.shape, found) else fault


def _describes_elements(order, raw, base):
    """True when shape, strides and dtype where they should be lead to the ordered elements."""
    rank, _, bits, lanes = struct.unpack_from("<iBBH", raw, base + NDIM)
    if not 0 < rank <= LARGEST_RANK or order.device[0] != HOST:
        return False
    lists = [memory.peek(_word(raw, base + place), 8 * rank) for place in (SHAPE, STRIDES)]
    if None in lists:
        return False
    shape, strides = (struct.unpack(f"<{rank}q", each) for each in lists)
    right_size = min(shape) > 0 and math.prod(shape) * bits * lanes == 8 * len(order.bytes)
    return right_size and _leads_to_elements(order, raw, base, bits * lanes, shape, strides)


def _leads_to_elements(order, raw, base, bits, shape, strides):
    """True when these strides lead to the ordered elements: then they are right, whatever numbers they are."""
    if 0 in shape or bits % 8:
        return False
    size, first = bits // 8, _word(raw, base) + _word(raw, base + BYTE_OFFSET)
    for number, place in enumerate(places(shape, strides)):
        if memory.peek(first + size * place, size) != order.bytes[number * size : (number + 1) * size]:
            return False
    return True


def _cut_fault(order, found, expected):
    """The fault where the first strides are right and the rest cannot be strides of the array."""
    axes = [axis for axis, extent in enumerate(order.shape) if extent > 1]
    right = next((n for n, axis in enumerate(axes) if found[axis] != expected[axis]), len(axes))
    rest = [found[axis] for axis in axes[right:]]
    if 0 in order.shape or not 0 < right < len(axes) or any(found[axis] == expected[axis] for axis in axes[right:]):
        return None
    if not all(_is_foreign(number) for number in rest):
        return None
    observed = f"behind stride {axes[right] - 1} stands {_text(rest[0])}, which is no stride"
    return Fault("tensor.strides-length", observed, f"{len(order.shape)} strides")


def _is_foreign(number):
    # An address or garbage, zero, or a block header of the C heap (size | 1).
    return abs(number) >= 1 << 32 or number == 0 or (number >= 0x21 and number % 16 == 1)


def _text(number):
    return "an address or the like" if abs(number) >= 1 << 32 else str(number)
