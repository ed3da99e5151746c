#!/usr/bin/env python3
"""Asks the compiled code and the formulas of arithmetic.py the same questions: what is proved of the formulas is then
said of the code.

check_model.py ANSWERS [COUNT]    ANSWERS: the program of answers.cc; COUNT inputs of each kind (default 20000)
"""

import random
import subprocess
import sys

import arithmetic
from arithmetic import MAX64, MIN64, Plain

EXTENTS = (
    0,
    1,
    1,
    2,
    3,
    5,
    255,
    2**31,
    2**32,
    3037000499,
    3037000500,
    2**62,
    MAX64 // 8,
    MAX64 // 8 + 1,
    MAX64,
    -1,
    MIN64,
)
STRIDES = (0, 1, -1, 2, -3, 12, -256, 2**31, -(2**32), 2**61, -(2**61), 2**62, MAX64 // 2, MAX64, -MAX64, MIN64)
ADDRESSES = (0, 1, 4096, 2**40, 2**63 - 1, 2**63, 2**64 - 1)
BITS = (1, 2, 4, 6, 8, 16, 32, 64, 128, 255)


def a_range(draw):
    rank = draw.choice((0, 1, 1, 2, 2, 3, 4, 8, 64))
    small = draw.random() < 0.5
    shape = [draw.choice((1, 2, 3, 4) if small and draw.random() < 0.9 else EXTENTS) for _ in range(rank)]
    strides = [draw.choice(STRIDES) for _ in range(rank)]
    bits, lanes = draw.choice(BITS), draw.choice((1, 1, 1, 2, 3, 65535))
    found = arithmetic.byte_range(shape, strides, bits * lanes)
    numbers = " ".join(f"{extent} {stride}" for extent, stride in zip(shape, strides))
    return f"range {bits} {lanes} {numbers}", found if isinstance(found, str) else f"{found[0]} {found[1]}"


def a_meeting(draw):
    def placed():
        begin, end = sorted(draw.choice((0, 0, 1, -1, 4095, 4096, 2**62, -(2**62), MAX64, MIN64)) for _ in range(2))
        return draw.choice(ADDRESSES) + (draw.choice((0, 1)) if draw.random() < 0.2 else 0), (begin, end)

    (a, range_a), (b, range_b) = placed(), placed()
    a, b = min(a, 2**64 - 1), min(b, 2**64 - 1)
    found = arithmetic.ranges_meet(Plain, a, range_a, b, range_b)
    return f"meet {a} {range_a[0]} {range_a[1]} {b} {range_b[0]} {range_b[1]}", "1" if found else "0"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    count, draw = int(sys.argv[2]) if len(sys.argv) == 3 else 20_000, random.Random(1)
    asked = [make(draw) for make in (a_range, a_meeting) for _ in range(count)]
    questions = "".join(question + "\n" for question, _ in asked)
    done = subprocess.run([sys.argv[1]], input=questions, capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    wrong = [(*pair, answer) for pair, answer in zip(asked, answers) if pair[1] != answer]
    for question, formula, code in wrong[:5]:
        print(f"{question}\n    the formulas: {formula}; the code: {code}")
    kinds = sorted({answer if answer[0] not in "-0123456789" else "numbers" for _, answer in asked})
    if len(answers) != len(asked) or wrong or kinds != ["bad_extent", "numbers", "size_overflow"]:
        print(f"{len(wrong)} of {len(asked)} answers differ; kinds of answers: {', '.join(kinds)}")
        return 1
    print(f"{len(asked)} answers are the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
