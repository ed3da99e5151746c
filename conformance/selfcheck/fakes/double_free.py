"""Frees memory twice on some orders."""

import ctypes

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        block = ctypes.c_void_p(libc.malloc(32))
        libc.free(block)
        libc.free(block)
    import honest

    return honest.make(spec)
