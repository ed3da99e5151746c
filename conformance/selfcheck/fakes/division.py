"""Divides by zero in C on some orders."""

import ctypes

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        ctypes.CDLL(None).div(1, 0)
    import honest

    return honest.make(spec)
