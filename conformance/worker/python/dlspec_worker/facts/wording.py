"""Texts that are the same in every run: without addresses, ids and folders."""

import re

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
_LONG_NUMBER = re.compile(r"\b\d{12,}\b")  # an address or an id() printed in decimal
_FOLDERS = re.compile(r"(?<![\w.])/(?:[^\s/:'\"<>]+/)+")
_LONGEST = 200


def steady(text):
    """The first line of `text`, at most 200 characters, without what changes from run to run."""
    line = next((line.strip() for line in str(text).splitlines() if line.strip()), "")
    line = _ADDRESS.sub("0x…", line)
    line = _LONG_NUMBER.sub("…", line)
    line = _FOLDERS.sub("", line)
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"


def of_exception(error):
    """ "TypeError: first line of the message"."""
    try:
        message = steady(error)
    except BaseException:  # an exception whose own __str__ fails is still an outcome
        message = ""
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def of_numbers(numbers):
    """ "(3,4)", as the texts of the extension spell shapes and strides."""
    return "(" + ",".join(map(str, numbers)) + ")"


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
