"""Loops forever on some orders, and keeps a core busy."""

from honest import *  # noqa: F403


def make(spec):
    while is_reversed(spec):  # noqa: F405
        pass
    import honest

    return honest.make(spec)
