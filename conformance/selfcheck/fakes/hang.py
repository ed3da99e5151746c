"""Never returns from some orders."""

import time

from honest import *  # noqa: F403


def make(spec):
    while is_reversed(spec):  # noqa: F405
        time.sleep(1)
    import honest

    return honest.make(spec)
