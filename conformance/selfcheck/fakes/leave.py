"""Leaves the process on some orders, with a status that looks like success."""

import os

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        os._exit(0)
    import honest

    return honest.make(spec)
