"""Theorems about arithmetic.py, by z3: for every input of every rank up to 64, the 64-bit and 128-bit arithmetic of
optimized/ gives what unbounded integers give, or says that it does not fit.

A loop over axes is proved by induction: the state before the first axis fits the claim, and one more axis keeps it.

proofs.py             proves all; prints each, and ends with 1 if one is refuted or undecided
proofs.py --broken    the same with the fault of each in it: all must be refuted
"""

import sys
import time

import arithmetic as code
import z3
from arithmetic import MAX64, MAX128, MAX_U64, MIN64, MIN128

TIMEOUT_MS = 20_000
MAX_BITS = 255 * 65535  # of an element: bits and lanes
MAX_RANK = 64


class Logic:
    """z3's integers. What is left of a result that does not fit is any number of 64 bits."""

    choose, all_of, any_of, negation = z3.If, z3.And, z3.Or, z3.Not

    @staticmethod
    def wrapped(_):
        return z3.FreshInt("junk")


def ints(names):
    return z3.Ints(names)


def in_int64(*values):
    return z3.And(*(code.fits64(Logic, value) for value in values))


def in_int128(*values):
    return z3.And(*(z3.And(value >= MIN128, value <= MAX128) for value in values))


THEOREMS = []


def theorem(says):
    """A function of `broken` that gives (premises, claim)."""

    def keep(function):
        THEOREMS.append((says, function))
        return function

    return keep


@theorem("count_elements: one more axis keeps: without an overflow the product is exact, with one it exceeds int64")
def count_is_exact(broken):
    true_product, product, extent = ints("true_product product extent")
    overflow = z3.Bool("overflow")

    def claim(exact, found, flag):
        return z3.And(exact >= 1, z3.If(flag, exact > MAX64, found == exact))

    after, flag = code.count_step(Logic, product, overflow, extent)
    if broken:  # only the last product counts
        flag = code.checked(Logic, product * extent)[1]
    premises = [claim(true_product, product, overflow), in_int64(product, extent), extent >= 1]
    return premises, claim(true_product * extent, after, flag)


@theorem("reach_of: one more axis keeps: the sum of (extent - 1) is below the product of the extents")
def steps_are_few(broken):
    product, steps, extent = ints("product steps extent")
    premises = [product >= 1, steps >= 0, steps <= product - 1, extent >= (0 if broken else 1)]
    return premises, steps + (extent - 1) <= product * extent - 1


@theorem("reach_of: no sum of it leaves 128 bits, for any strides, if the product of the extents fits int64")
def reach_fits(broken):
    low, high, steps, extent, stride = ints("low high steps extent stride")
    bound = 2**63
    premises = [in_int64(stride), extent >= 1, steps >= 0, steps + (extent - 1) <= (MAX128 if broken else MAX64 - 1)]
    premises += [-low <= steps * bound, low <= 0, high >= 0, high <= steps * bound]
    after_low, after_high = code.reach_step(Logic, low, high, extent, stride)
    more = steps + (extent - 1)
    return premises, z3.And(
        in_int128(after_low, after_high, after_high - after_low + 1, (extent - 1) * stride),
        -after_low <= more * bound, after_low <= 0, after_high >= 0, after_high <= more * bound,
    )  # fmt: skip


@theorem("byte_range_in_int64: one more axis keeps: without an overflow both ends are exact")
def fast_reach_is_exact(broken):
    true_low, true_high, low, high, extent, stride = ints("true_low true_high low high extent stride")
    overflow = z3.Bool("overflow")

    def claim(exact_low, exact_high, found_low, found_high, flag):
        return z3.Or(flag, z3.And(found_low == exact_low, found_high == exact_high))

    after_low, after_high, flag = code.int64_step(Logic, low, high, overflow, extent, stride)
    if broken:  # the sum of reversed axes may wrap
        last, wraps = code.checked(Logic, (extent - 1) * stride)
        after_low = code.checked(Logic, low + z3.If(last < 0, last, 0))[0]
        flag = z3.Or(overflow, wraps, code.checked(Logic, high + z3.If(last < 0, 0, last))[1])
    exact = code.reach_step(Logic, true_low, true_high, extent, stride)
    premises = [claim(true_low, true_high, low, high, overflow), in_int64(low, high, extent, stride), extent >= 1]
    return premises, claim(*exact, after_low, after_high, flag)


@theorem("byte_range_in_int64: a range that counts is the exact one, and as long as int64 can say")
def fast_range_is_exact(broken):
    low, high, size = ints("low high size")
    begin, end, counts = code.int64_range(Logic, low, high, z3.BoolVal(False), size)
    if broken:  # the length is not looked at
        counts = z3.And(*(z3.Not(code.checked(Logic, value)[1]) for value in (low * size, high + 1, (high + 1) * size)))
    premises = [in_int64(low, high), low <= 0, high >= 0, size >= 1, size <= MAX_BITS]
    bits = 8 * size
    exact = z3.And(
        begin == code.floor_bytes(low * bits), end == code.ceil_bytes((high + 1) * bits), end - begin <= MAX64
    )
    return premises, z3.Implies(counts, exact)


@theorem("fits_in_bytes: says exactly whether the bytes, rounded up, fit int64, and stays within 128 bits")
def bytes_fit(broken):
    elements, bits = ints("elements bits")
    premises = [elements >= 0, elements <= 2**126, bits >= 1, bits <= MAX_BITS]
    if broken:  # without the first comparison
        return premises, in_int128(elements * bits)
    claim = code.fits_in_bytes(Logic, elements, bits) == (code.ceil_bytes(elements * bits) <= MAX64)
    return premises, z3.And(claim, z3.Implies(elements <= 8 * MAX64, in_int128(elements * bits)))


@theorem("byte_range: both ends of a span that fits int64 in bytes fit int64, without leaving 128 bits")
def slow_range_fits(broken):
    low, high, bits = ints("low high bits")
    premises = [low <= 0, high >= 0, bits >= 1, bits <= MAX_BITS]
    if not broken:  # the span is not looked at
        premises.append(code.fits_in_bytes(Logic, high - low + 1, bits))
    return premises, z3.And(
        in_int128(low * bits, (high + 1) * bits + 7),
        in_int64(code.floor_bytes(low * bits), code.ceil_bytes((high + 1) * bits)),
    )


@theorem("ranges_meet: says exactly whether two ranges of bytes have one in common, without leaving 128 bits")
def meeting_is_exact(broken):
    a, begin_a, end_a, b, begin_b, end_b, byte = ints("a begin_a end_a b begin_b end_b byte")
    premises = [in_int64(begin_a, end_a, begin_b, end_b), begin_a <= end_a, begin_b <= end_b]
    premises += [a >= 0, a <= MAX_U64, b >= 0, b <= MAX_U64]
    answer = code.ranges_meet(Logic, a, (begin_a, end_a), b, (begin_b, end_b))
    if broken:  # ranges that touch count as ranges that meet
        answer = z3.And(begin_a != end_a, begin_b != end_b, b - a + begin_b <= end_a, b - a + end_b > begin_a)
    first = z3.If(a + begin_a > b + begin_b, a + begin_a, b + begin_b)  # if any byte is in both, this one is

    def in_both(at):
        return z3.And(a + begin_a <= at, at < a + end_a, b + begin_b <= at, at < b + end_b)

    some = z3.And(begin_a < end_a, begin_b < end_b)
    return premises, z3.And(
        answer == z3.And(some, in_both(first)),
        z3.Implies(in_both(byte), z3.And(some, in_both(first))),
        in_int128(b - a + begin_b, b - a + end_b),
    )


@theorem("LayoutSpan: one more axis keeps: without an overflow span and stride are exact, and strides have an absolute "
         "value")  # fmt: skip
def span_is_exact(broken):
    true_low, true_high, low, high, extent, stride, size = ints("true_low true_high low high extent stride size")
    overflow = z3.Bool("overflow")
    after_low, after_high, flag, step = code.span_step(Logic, low, high, overflow, extent, stride, size)
    if broken:  # the length is not looked at
        last = (extent - 1) * step
        ends = (last, low + z3.If(last < 0, last, 0), high + z3.If(last < 0, 0, last), stride * size)
        flag = z3.Or(overflow, *(z3.Not(code.fits64(Logic, end)) for end in ends))
    premises = [in_int64(low, high, extent, stride), extent >= 1, size >= 1, size <= 32 * 65535, low <= 0, high >= 1]
    premises.append(z3.Or(overflow, z3.And(low == true_low, high == true_high)))
    last = (extent - 1) * z3.If(extent == 1, 0, stride * size)
    exact_low = z3.If(last < 0, true_low + last, true_low)
    exact_high = z3.If(last < 0, true_high, true_high + last)
    claim = z3.And(after_low == exact_low, after_high == exact_high, after_high - after_low <= MAX64)
    return premises, z3.Or(flag, z3.And(claim, z3.Implies(extent != 1, z3.And(step == stride * size, step > MIN64))))


@theorem("is_nested: one more axis keeps: different indices have different positions")
def nested_is_injective(broken):
    difference, rest, stride, below = ints("difference rest stride below")
    premises = [below >= 0, -below <= rest, rest <= below, stride > (below - 1 if broken else below)]
    return premises, z3.Implies(difference != 0, difference * stride + rest != 0)


@theorem("overlap_of_two: positions meet in multiples of (stride of the other / divisor) alone")
def two_axes_meet(broken):
    a, b, u, v, x, y = ints("a b u v x y")  # strides over their divisor; u and v by Bezout's lemma
    premises = [a >= 1, b >= 1, x * a == y * b, u * a + v * b == (2 if broken else 1)]
    multiple = u * y + v * x
    return premises, z3.And(x == b * multiple, y == a * multiple)


@theorem("search: every difference that the smaller axes can make up for is tried")
def search_tries_all(broken):
    target, slack, stride, d, first, last, rest_first, rest_last = ints(
        "target slack stride d first last rest_first rest_last"
    )

    def quotient(number, result, rest):  # rounded towards 0, as C++ does
        same_sign = z3.If(number >= 0, rest >= 0, rest <= 0)
        return z3.And(number == result * stride + rest, -stride < rest, rest < stride, same_sign)

    premises = [slack >= 0, stride >= 1, -slack <= target - d * stride, target - d * stride <= slack]
    premises += [quotient(target - slack, first, rest_first), quotient(target + slack, last, rest_last)]
    margin = -1 if broken else 1
    return premises, z3.And(first - margin <= d, d <= last + margin)


def decide(premises, claim):
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*premises)
    if solver.check() != z3.sat:
        return z3.unknown, None  # nothing fits the premises: any claim could be proved
    solver.add(z3.Not(claim))
    answer = solver.check()
    return answer, solver.model() if answer == z3.sat else None


def main():
    broken = sys.argv[1:] == ["--broken"]
    if sys.argv[1:] not in ([], ["--broken"]):
        sys.exit(__doc__)
    wanted, bad = (z3.sat if broken else z3.unsat), 0
    for says, function in THEOREMS:
        start = time.process_time()
        answer, model = decide(*function(broken))
        word = {"unsat": "proved", "sat": "refuted"}.get(str(answer), "undecided")
        print(f"{word} in {time.process_time() - start:.2f} s: {says}", flush=True)
        if answer != wanted:
            bad += 1
            print(f"    {model}" if model is not None else "    another answer was wanted")
    told = "are refuted with their fault" if broken else f"are proved for every rank up to {MAX_RANK}"
    print(f"{len(THEOREMS) - bad} of {len(THEOREMS)} theorems {told}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
