"""Allocates all the memory that it can get on some orders."""

import time

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        kept = []
        while True:
            kept.append(b"\1" * (32 << 20))
            time.sleep(0.005)  # stays below the limit of the machine
    import honest

    return honest.make(spec)
