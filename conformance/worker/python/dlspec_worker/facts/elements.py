"""Element sizes and packing, and the ways of being wrong that have a rule of their own."""

import collections
import functools
import itertools
import re
import struct
import types


def row_major(shape):
    """The strides of a compact array, in elements."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def is_dense(shape, strides):
    """True when the elements fill their memory without gaps, whatever the order of the axes. Strides in elements."""
    step = 1
    for stride, extent in sorted(zip(strides, shape)):
        if extent != 1 and stride != step:
            return False
        step *= extent
    return True


def places(shape, strides):
    """In C order, how far each element lies from element (0, ..., 0), in elements."""
    found = [0]
    for extent, stride in zip(shape, strides):
        steps = [step * stride for step in range(extent)]
        found = [place + step for place in found for step in steps]
    return found


# The rule, and the observation in its terms. `is_other_values`: a failure whatever the level of the rule.
Way = collections.namedtuple("Way", "rule observed allowed is_other_values")
OVERLAP = "tensor.overlap-read-ok"
AXES = "tensor.row-major-dims"


@functools.cache
def bits_of(dtype):
    """The width of one element by the dtype's name."""
    single, lanes = vector(dtype) or (dtype, 1)
    width = re.match(r"[a-z]+(\d+)(?:_\w+)?$", single)
    return lanes * (8 if single == "bool" else int(width[1]) if width else 0)


def vector(dtype):
    """("float32", 4) for "float32x4"; None for a dtype without lanes."""
    match = re.fullmatch(r"(bool|\w*\d\w*?)x(\d+)", dtype)
    return match and (match[1], int(match[2]))


def split(data, bits, count):
    """The elements as numbers, from packed or whole bytes."""
    if bits % 8 == 0:
        size = bits // 8
        return [int.from_bytes(data[place * size : (place + 1) * size], "little") for place in range(count)]
    stream, mask = int.from_bytes(data, "little"), (1 << bits) - 1
    return [stream >> place * bits & mask for place in range(count)]


def pack(numbers, bits):
    """Elements one after the other, from the lowest bit of the lowest byte up."""
    if bits % 8 == 0:
        return b"".join(number.to_bytes(bits // 8, "little") for number in numbers)
    stream = sum(number << place * bits for place, number in enumerate(numbers))
    return stream.to_bytes((len(numbers) * bits + 7) // 8, "little")


def pack_from_the_top(numbers, bits):
    """The same from the highest bit of the lowest byte down, which is the wrong order."""
    size = (len(numbers) * bits + 7) // 8
    stream = 0
    for number in numbers:
        stream = stream << bits | number
    return (stream << size * 8 - len(numbers) * bits).to_bytes(size, "big")


def count_of(order):
    count = 1
    for extent in order.shape:
        count *= extent
    return count


def in_reversed_axes(order):
    """The elements in the order of the transposed array."""
    numbers = split(order.bytes, bits_of(order.dtype), count_of(order))
    at = dict(zip(itertools.product(*map(range, order.shape)), numbers))
    axes = [range(extent) for extent in reversed(order.shape)]
    return pack([at[index[::-1]] for index in itertools.product(*axes)], bits_of(order.dtype))


def with_layout(order, strides, offset=0):
    """The same array in another layout."""
    return types.SimpleNamespace(**{**vars(order), "strides": strides, "offset": offset})


def of_twelve(order):
    """An array of the same dtype with twelve elements, no two bytes of which are equal."""
    data = bytes(range(12 * bits_of(order.dtype) // 8))
    return types.SimpleNamespace(
        **{**vars(order), "shape": (12,), "strides": None, "offset": 0, "readonly": False, "bytes": data}
    )


def overlaps(order):
    """True when two indices name the same place although no stride is 0."""
    if order.strides is None or 0 in order.strides or _is_nested(order):
        return False
    found = list(places(order.shape, order.strides))
    return len(set(found)) < len(found)


def _is_nested(order):
    """True when each axis steps over all that the axes of smaller strides reach: then no place has two indices."""
    reach = 0
    for stride, extent in sorted((abs(stride), extent) for stride, extent in zip(order.strides, order.shape)):
        if extent > 1 and stride <= reach:
            return False
        reach += stride * (extent - 1)
    return True


def way_of(order, found):
    """How these elements differ from the ordered ones, where a rule of its own covers that; else None."""
    bits, count = bits_of(order.dtype), count_of(order)
    if len(found) != len(order.bytes) or not found:
        return None
    if count == 1 and bits > 8:
        return None  # a single element matches too many patterns
    if bits < 8:
        return _narrow_way(order, found, bits, count)
    if order.dtype == "bool":
        return _boolean_way(order, found)
    is_complex = "complex" in order.dtype
    parts = 2 if is_complex else int(order.dtype.rpartition("x")[2]) if "x" in order.dtype else 1
    size = bits // 8 // parts
    if size > 1 and found == _swapped(order.bytes, size):
        return Way("dtype.native-endian", "each element's bytes stand in reversed order", "native byte order", False)
    return _complex_way(order, found, size) if is_complex else None


def _swapped(data, size):
    return b"".join(data[start : start + size][::-1] for start in range(0, len(data), size))


def _narrow_way(order, found, bits, count):
    numbers = split(order.bytes, bits, count)
    swapped = pack_from_the_top(numbers, bits)
    spare = -len(numbers) * bits % 8  # bits of the last byte that belong to no element, and are read as zeros
    if found in (swapped, swapped[:-1] + bytes([swapped[-1] & 0xFF >> spare])):
        return Way(
            "dtype.subbyte-bit-order",
            "elements are packed from the highest bit down",
            "the first element in the lowest bits of the lowest byte",
            False,
        )
    return None


def _boolean_way(order, found):
    if [bool(byte) for byte in found] != [bool(byte) for byte in order.bytes]:
        return None
    odd = next(byte for byte in found if byte > 1)
    return Way("dtype.bool-bytes-0-1", f"a boolean is stored as {odd}", "0 or 1", False)


def _complex_way(order, found, size):
    parts = [[data[start : start + size] for start in range(0, len(data), size)] for data in (found, order.bytes)]
    whole = [list(zip(each[::2], each[1::2])) for each in parts]
    if sorted(parts[0]) != sorted(parts[1]) or sorted(whole[0]) == sorted(whole[1]):
        return None  # other numbers, or whole elements in other places
    return Way(
        "dtype.complex-interleaved",
        "the parts of different elements stand together, or in reversed order",
        "the real part and at once the imaginary part of each element",
        False,
    )


def are_brain_pairs(order, found):
    """True when these are the numbers of complex32 as pairs of bfloat16, truncated or rounded."""
    return order.dtype == "complex32" and found in [_brain_pairs(order.bytes, rounding) for rounding in (0, 0x8000)]


def _brain_pairs(halves, rounding):
    numbers = [number for (number,) in struct.iter_unpack("=e", halves)]
    words = [struct.unpack("=I", struct.pack("=f", number))[0] + rounding >> 16 for number in numbers]
    return struct.pack(f"={len(words)}H", *words)
