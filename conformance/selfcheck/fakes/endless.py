"""Never comes to an end on some orders, and takes all the time of a processor."""

from honest import *  # noqa: F403


def make(spec):
    while is_reversed(spec):  # noqa: F405
        pass
    import honest

    return honest.make(spec)
