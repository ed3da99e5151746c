"""Overflows the stack on some orders."""

import machine_code
from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        machine_code.run(b"\xe8\xfb\xff\xff\xff")  # call to itself
    import honest

    return honest.make(spec)
