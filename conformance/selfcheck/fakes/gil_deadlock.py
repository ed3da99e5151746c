"""Waits forever on some orders without releasing the GIL."""

import ctypes

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        libc = ctypes.PyDLL(None)  # unlike CDLL, it keeps the GIL during a call
        mutex = ctypes.create_string_buffer(256)
        libc.pthread_mutex_lock(mutex)
        libc.pthread_mutex_lock(mutex)
    import honest

    return honest.make(spec)
