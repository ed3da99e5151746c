"""Lets a C++ exception escape from a C function on some orders."""

import ctypes

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        ctypes.CDLL("libstdc++.so.6")._ZSt17__throw_bad_allocv()  # std::__throw_bad_alloc()
    import honest

    return honest.make(spec)
