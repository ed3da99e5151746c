"""Texts that are the same in every run: without addresses, ids and folders."""

import functools
import re

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
_LONG_NUMBER = re.compile(r"(?<!\w)-?\b\d{12,}\b")  # an address or an id() printed in decimal
_CLOCK = re.compile(r"\b\d\d:\d\d:\d\d\b")  # when a line of a log was written
_FOLDERS = re.compile(r"(?<![\w./])/(?:[^\s/:'\"<>]+/)+")
_HALF = re.compile("[\ud800-\udfff]")  # half of a surrogate pair, which neither UTF-8 nor JSON can carry
_LONGEST = 200


def whole(text):
    """`text` with U+FFFD in the place of what no UTF-8 has: a library's texts may come from any bytes."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def of_anything(thing):
    """str(thing); "" where the object's own __str__ fails, which is still an answer."""
    try:
        return whole(str(thing))
    except BaseException:
        return ""


def steady(text):
    """The first line of `text`, at most 200 characters, without what changes from run to run."""
    return _steady(of_anything(text))


@functools.lru_cache(maxsize=256)  # a library has few texts, and gives each of them thousands of times
def _steady(text):
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = _ADDRESS.sub("0x…", line)
    line = _LONG_NUMBER.sub("…", line)
    line = _CLOCK.sub("…", line)
    line = _FOLDERS.sub("", line)
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"


def of_repr(thing):
    """repr(thing) in one line; the type where the object's own __repr__ fails."""
    try:
        return steady(repr(thing))
    except BaseException:
        return f"an object of type {type(thing).__name__}"


def of_exception(error):
    """ "TypeError: first line of the message"."""
    message = steady(error)
    name = type.__dict__["__name__"].__get__(type(error))  # a metaclass may have another idea of it
    return f"{name}: {message}" if message else name


def of_numbers(numbers):
    """ "(3,4)", as the texts of the extension spell shapes and strides."""
    return "(" + ",".join(map(str, numbers)) + ")"


def of_struct(text):
    """The text of a struct, if it has one and no addresses stand in it: what its memory holds then is by chance."""
    if not text:
        return "nothing that can be read"
    return "what stands in memory that was given out again" if _LONG_NUMBER.search(text) else text


def of_bytes(found, wanted):
    """Where two contents differ, for a human: the first byte, or the lengths."""
    if len(found) != len(wanted):
        return f"{len(found)} bytes instead of {len(wanted)}"
    first = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), None)
    if first is None:
        return "no difference"
    count = sum(a != b for a, b in zip(found, wanted))
    pair = f"0x{found[first]:02x} instead of 0x{wanted[first]:02x}"
    return f"byte {first} is {pair}; {count} of {len(wanted)} bytes differ"
