"""Aborts on some orders."""

import os

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        os.abort()
    import honest

    return honest.make(spec)
