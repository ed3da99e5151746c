"""Finds code in a source whatever its white space, line breaks and comments are."""

import functools
import os
import re

import operators

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROW = re.compile(r"(\s+(?:checks::)?\w+,)+")


@functools.lru_cache(None)
def read(path):
    """The lines of a file of the tree; callers must not change the list."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read().split("\n")


def uncommented(line):
    """The line without its // comment; texts that hold two slashes stay."""
    return line[: len(operators.blanked(line).rstrip())]


def squeezed(text):
    """The code of one or more lines without comments and white space: equal for all ways to format it."""
    return "".join(character for line in text.split("\n") for character in uncommented(line) if not character.isspace())


@functools.lru_cache(None)
def _squeezed_file(path):
    """The squeezed code of a file, and for each character its (line, column)."""
    characters, origins = [], []
    for number, line in enumerate(read(path)):
        for column, character in enumerate(uncommented(line)):
            if not character.isspace():
                characters.append(character)
                origins.append((number, column))
    return "".join(characters), origins


def find(path, code):
    """All places of the code in the file: (first line, column, last line, column behind it).

    Where it fills whole lines somewhere, only these places count: `x = 1;` is not found in `max = 1;`.
    """
    text, origins = _squeezed_file(path)
    wanted = squeezed(code)
    whole, parts = [], []
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        (first, column), (last, last_column) = origins[start], origins[end - 1]
        begins_line = start == 0 or origins[start - 1][0] != first
        ends_line = end == len(text) or origins[end][0] != last
        (whole if begins_line and ends_line else parts).append((first, column, last, last_column + 1))
        start = text.find(wanted, start + 1)
    return whole or [place for place in parts if not _cuts_a_word(path, place)]


def _cuts_a_word(path, place):
    first, column, last, end = place
    before, behind = read(path)[first][:column], read(path)[last][end:]
    return bool(re.search(r"\w$", before) and re.match(r"\w", read(path)[first][column:])) or bool(
        re.match(r"\w", behind) and re.search(r"\w$", read(path)[last][:end])
    )


def _ends(code):
    return not code or code.endswith((";", "{", "}", ":")) or code.lstrip().startswith("#")


def statement(lines, index):
    """The first and the last line of the statement that the line belongs to; of a table the row alone."""
    if ROW.fullmatch(operators.blanked(lines[index])) or re.match(r"DLSPEC_\w+\(", lines[index]):
        return index, index
    code = [operators.blanked(line).rstrip() for line in lines]
    first = last = index
    while first > 0 and not _ends(code[first - 1]):
        first -= 1
    while last + 1 < len(code) and not _ends(code[last]):
        last += 1
    return first, last


def statement_text(lines, index, wrong=None):
    """The statement in one line, comments left out; with `wrong` in place of the line, the wrong statement."""
    first, last = statement(lines, index)
    parts = [wrong if wrong is not None and i == index else lines[i] for i in range(first, last + 1)]
    return " ".join(part for part in (" ".join(uncommented(line).split()) for line in parts) if part)
