#!/usr/bin/env python3
"""dlspec's versions against Python's `packaging`, which they follow: over a table, and over random versions.

python3 check.py ANSWERS [SEED]     ANSWERS is the program made from answers.cc
"""

import itertools
import pathlib
import random
import subprocess
import sys

try:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion, Version
except ImportError:
    sys.exit("this test needs the Python module packaging (Debian: python3-packaging)")

OPERATORS = ("<", "<=", "==", "!=", ">=", ">")
TABLE = (pathlib.Path(__file__).parent / "versions.txt").read_text(encoding="utf-8").split()
BOUNDS = [
    "<1.0,>=0.9",
    ">=1.0,!=1.0.post1,<2",
    "==1.0+cpu",
    "!=1.0+cpu",
    "<1.0+cpu",
    ">=1.0+cpu",
    "=1",
    "~1",
    "<>1",
    "1.0",
    ">=",
    "",
]
# Before release 26, packaging keeps < and > away from everything with the release of their version (>1.0rc1 from
# 1.0.post1), where PEP 440 means the version's own pre- and post-releases and local builds.
IS_COARSE = not SpecifierSet(">1.0rc1").contains("1.0.post1")
SPELLINGS = (("a", "alpha"), ("b", "beta"), ("rc", "c", "pre", "preview"))


def random_version(chance):
    """Small numbers, so that many of them are near each other."""

    def number():
        return chance.choice(("0", "1", "2", "3", "10", "00", "01", ""))

    def word(*words):
        joint = chance.choice(("", "", ".", "-", "_"))
        return joint + chance.choice(words) + chance.choice(("", "", ".", "-", "_")) + number()

    text = chance.choice(("", "", "", "v", "V")) + chance.choice(("", "", "", "0!", "1!"))
    text += ".".join(number() or "1" for _ in range(chance.randint(1, 4)))
    if chance.random() < 0.4:
        text += word(*chance.choice(SPELLINGS))
    if chance.random() < 0.3:
        text += chance.choice((word("post", "rev", "r"), "-" + (number() or "1")))
    if chance.random() < 0.3:
        text += word("dev")
    if chance.random() < 0.3:
        text += "+" + chance.choice(".-_").join(
            chance.choice(("cpu", "1", "10", "a1", "G")) for _ in range(chance.randint(1, 3))
        )
    return text.upper() if chance.random() < 0.1 else text


def damaged(text, chance):
    place = chance.randrange(len(text) + 1)
    return text[:place] + chance.choice(".-_+!*avrc10 ") + text[place + chance.randint(0, 1) :]


def version(text):
    try:
        return Version(text)
    except InvalidVersion:
        return None


def expected(question, first, second):
    """What packaging says; nothing where dlspec goes further than packaging or not as far."""
    if question == "version":
        return str(version(first) is not None)
    if question == "compare":
        left, right = version(first), version(second)
        return None if left is None or right is None else str((left > right) - (left < right))
    subset = not any(part in first for part in ("~=", "===", "*", " ")) and first != ""
    try:
        bounds = SpecifierSet(first)
    except InvalidSpecifier:
        return "None"
    if not subset:
        return "None"
    if version(second) is None or (IS_COARSE and any(is_coarse(each, version(second)) for each in bounds)):
        return None
    return str(bounds.contains(second, prereleases=True))


def is_coarse(bound, other):
    own = version(bound.version)
    if bound.operator == "<":
        return own.is_postrelease and not own.is_prerelease and other.is_prerelease
    return bound.operator == ">" and (own.is_prerelease or (own.is_postrelease and other.local is not None))


def questions(seed):
    chance = random.Random(seed)
    drawn = [random_version(chance) for _ in range(3000)]
    drawn += [damaged(text, chance) for text in drawn[:1500]]
    yield from (("version", text, "") for text in TABLE + drawn)
    yield from (("compare", *pair) for pair in itertools.product(TABLE, repeat=2))
    yield from (("compare", chance.choice(drawn), chance.choice(drawn)) for _ in range(20000))
    near = [(text, damaged(text, chance)) for text in drawn]
    yield from (("compare", *pair) for pair in near)
    bounds = BOUNDS + [operator + text for operator in OPERATORS for text in TABLE]
    yield from (("hold", *pair) for pair in itertools.product(bounds, TABLE))
    yield from (("hold", chance.choice(OPERATORS) + chance.choice(drawn), chance.choice(drawn)) for _ in range(20000))
    yield from (("hold", operator + a, b) for a, b in near for operator in OPERATORS)


def main(program, seed="1"):
    asked = list(questions(seed))
    text = "".join("\t".join(each) + "\n" for each in asked)
    told = subprocess.run(
        [program], input=text, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    ).stdout.splitlines()
    assert len(told) == len(asked), f"{len(asked)} questions and {len(told)} answers"
    wanted = [expected(*each) for each in asked]
    wrong = [(each, ours, theirs) for each, ours, theirs in zip(asked, told, wanted) if theirs not in (None, ours)]
    for (question, first, second), ours, theirs in wrong[:20]:
        print(f"{question} {first!r} {second!r}: dlspec says {ours}, packaging says {theirs}")
    compared = sum(each is not None for each in wanted)
    print(f"{compared} answers compared with packaging, seed {seed}: {len(wrong)} differ")
    return 1 if wrong or compared < len(asked) / 2 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
