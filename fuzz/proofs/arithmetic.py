"""The arithmetic of optimized/descriptor and optimized/rearrange/plan, step by step, as formulas: of z3's integers in
the proofs, of Python's where the compiled code is asked for the same (check_model.py).

Each function is named after the code that it stands for. Integers have no size here: `checked` gives what the code gets
in 64 bits, and whether that is the number.
"""

MAX64, MIN64, MAX_U64 = 2**63 - 1, -(2**63), 2**64 - 1
MAX128, MIN128 = 2**127 - 1, -(2**127)


class Plain:
    """Python's own numbers."""

    @staticmethod
    def choose(condition, yes, no):
        return yes if condition else no

    @staticmethod
    def all_of(*conditions):
        return all(conditions)

    @staticmethod
    def any_of(*conditions):
        return any(conditions)

    @staticmethod
    def negation(condition):
        return not condition

    @staticmethod
    def wrapped(value):
        return (value - MIN64) % 2**64 + MIN64


def fits64(logic, value):
    return logic.all_of(value >= MIN64, value <= MAX64)


def checked(logic, value):
    """__builtin_*_overflow of GCC and clang: the result in int64, and whether the exact one does not fit."""
    fits = fits64(logic, value)
    return logic.choose(fits, value, logic.wrapped(value)), logic.negation(fits)


def count_step(logic, product, overflow, extent):
    """One axis of count_elements."""
    product, wraps = checked(logic, product * extent)
    return product, logic.any_of(overflow, wraps)


def reach_step(logic, low, high, extent, stride):
    """One axis of reach_of, in 128 bits."""
    last = (extent - 1) * stride
    return logic.choose(last < 0, low + last, low), logic.choose(last < 0, high, high + last)


def int64_step(logic, low, high, overflow, extent, stride):
    """One axis of byte_range_in_int64."""
    last, wraps = checked(logic, (extent - 1) * stride)
    low, low_wraps = checked(logic, low + logic.choose(last < 0, last, 0))
    high, high_wraps = checked(logic, high + logic.choose(last < 0, 0, last))
    return low, high, logic.any_of(overflow, wraps, low_wraps, high_wraps)


def int64_range(logic, low, high, overflow, size):
    """The end of byte_range_in_int64: begin, end, and whether both count."""
    begin, begin_wraps = checked(logic, low * size)
    behind, behind_wraps = checked(logic, high + 1)
    end, end_wraps = checked(logic, behind * size)
    _, span_wraps = checked(logic, end - begin)
    return begin, end, logic.negation(logic.any_of(overflow, begin_wraps, behind_wraps, end_wraps, span_wraps))


def fits_in_bytes(logic, elements, bits):
    return logic.all_of(elements <= 8 * MAX64, elements * bits <= 8 * MAX64)


def floor_bytes(bits):
    return bits / 8 if not isinstance(bits, int) else bits // 8  # z3's quotient by 8 is rounded down


def ceil_bytes(bits):
    return floor_bytes(bits + 7)


def ranges_meet(logic, a, range_a, b, range_b):
    distance = b - a
    return logic.all_of(
        range_a[0] != range_a[1],
        range_b[0] != range_b[1],
        distance + range_b[0] < range_a[1],
        distance + range_b[1] > range_a[0],
    )


def span_step(logic, low, high, overflow, extent, stride, size):
    """One axis of LayoutSpan::add_axis, with strides: low, high, overflow and the stride in bytes."""
    scaled, scale_wraps = checked(logic, stride * size)
    step = logic.choose(extent == 1, size, scaled)
    scale_wraps = logic.all_of(extent != 1, scale_wraps)
    last, wraps = checked(logic, (extent - 1) * step)
    low, low_wraps = checked(logic, low + logic.choose(last < 0, last, 0))
    high, high_wraps = checked(logic, high + logic.choose(last < 0, 0, last))
    _, size_wraps = checked(logic, high - low)
    return low, high, logic.any_of(overflow, scale_wraps, wraps, low_wraps, high_wraps, size_wraps), step


def byte_range(shape, strides, bits):
    """The whole of byte_range, of Python's numbers: "bad_extent", "size_overflow" or the range."""
    product, overflow = 1, False
    for extent in shape:
        if extent < 0:
            return "bad_extent"
        product, overflow = count_step(Plain, product, overflow, extent)
    if 0 in shape:
        return 0, 0
    if overflow:
        return "size_overflow"
    low, high, wraps = 0, 0, False
    for extent, stride in zip(shape, strides):
        low, high, wraps = int64_step(Plain, low, high, wraps, extent, stride)
    if bits % 8 == 0 and product * (bits // 8) <= MAX64:
        begin, end, counts = int64_range(Plain, low, high, wraps, bits // 8)
        if counts:
            return begin, end
    low, high = 0, 0
    for extent, stride in zip(shape, strides):
        low, high = reach_step(Plain, low, high, extent, stride)
    if not fits_in_bytes(Plain, product, bits) or not fits_in_bytes(Plain, high - low + 1, bits):
        return "size_overflow"
    return floor_bytes(low * bits), ceil_bytes((high + 1) * bits)
