#!/usr/bin/env python3
"""A libFuzzer dictionary for a target whose inputs are texts: the words that its parsers know, from their sources.

dictionary.py OUT SOURCE...     writes OUT: the texts in quotes of these sources, and of tables (.def) the words of the
                                rows, each once
"""

import re
import sys

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CHARACTER = re.compile(r"'([^'\\\n]|\\.)'")
ESCAPE = re.compile(r"\\(.)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
LONGEST = 32  # longer ones are sentences for people


def unescaped(text):
    return ESCAPE.sub(lambda found: ESCAPES.get(found.group(1), found.group(1)), text)


def literals(source):
    """The string and character literals of a C++ source, but for comments and #include."""
    for line in source.splitlines():
        if line.lstrip().startswith(("#include", "//")):
            continue
        yield from (each for each in map(unescaped, CHARACTER.findall(line)) if not each.isalnum())
        line = CHARACTER.sub(" ", line)
        for match in LITERAL.finditer(re.sub(r"(?<=[;,{)}])\s*//.*$", "", line)):
            yield unescaped(match.group(1))


def row_words(table):
    """The names in the rows of a table."""
    for row in re.findall(r"^DLSPEC_\w+\((.*)\)$", table, re.M):
        yield from re.findall(r"\b[A-Za-z]\w*\b", LITERAL.sub(" ", row))


def is_word(text):
    """A sentence, or a format, is no word of an input."""
    return 0 < len(text) <= LONGEST and (len(text) == 1 or "{" not in text) and text.count(" ") < 2


def quoted(text):
    """As libFuzzer and AFL++ read it."""
    return '"' + "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\x{byte:02X}" for byte in text.encode()
    ) + '"'  # fmt: skip


def dictionary(sources, tables=()):
    found = [*(text for source in (*sources, *tables) for text in literals(source))]
    found += [word for table in tables for word in row_words(table)]
    words = sorted({text for text in found if is_word(text)})
    return "".join(quoted(word) + "\n" for word in words)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sources, tables = [], []
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            (tables if path.endswith(".def") else sources).append(file.read())
    text = dictionary(sources, tables)
    if not text:
        sys.exit(f"there is no word in {', '.join(sys.argv[2:])}")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
