"""Safe reads of this process's own memory: what cannot be read gives None, not a fault."""

import bisect
import ctypes
import functools
import os
import re
import sys


@functools.cache
def _own_memory():
    try:
        return os.open("/proc/self/mem", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


@functools.cache
def is_visible():
    """False where this process may not read /proc/self/mem: then no address can be judged."""
    known = bytearray(b"known")
    place = (ctypes.c_char * len(known)).from_buffer(known)
    return peek(ctypes.addressof(place), len(known)) == known


def peek(address, size):
    """The bytes at an address, or None when not all of them can be read."""
    if not 0 < address < 1 << 63 or _own_memory() is None:
        return None
    try:
        found = os.pread(_own_memory(), size, address)
    except OSError:
        return None
    return found if len(found) == size else None


def is_readable(address):
    """False when a load there would fault. Memory of some drivers can be read by loads, but not by pread."""
    if peek(address, 1) is not None or not is_visible():
        return True
    return any(begin <= address < end for begin, end in _mapped("r"))


_code = []  # (begin, end) of executable memory at the last look, in the order of addresses


def is_code(address):
    """True when the address lies in executable memory, as every function does."""
    if _is_in_code(address):
        return True
    # Libraries and closures may be newer than the last look.
    _code[:] = _mapped("x")
    return not _code or _is_in_code(address)


def _is_in_code(address):
    place = bisect.bisect_right(_code, (address, sys.maxsize)) - 1
    return place >= 0 and address < _code[place][1]


# A process that guards every tensor has thousands of rows.
_ROWS = {"r": re.compile(rb"(?m)^(\w+)-(\w+) r"), "x": re.compile(rb"(?m)^(\w+)-(\w+) ..x")}


def _mapped(right):
    """(begin, end) of all memory with this right: r or x."""
    try:
        with open("/proc/self/maps", "rb") as maps:
            found = re.findall(_ROWS[right], maps.read())
    except OSError:
        return []
    return [(int(begin, 16), int(end, 16)) for begin, end in found]
