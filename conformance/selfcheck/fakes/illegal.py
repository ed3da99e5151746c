"""Executes an illegal instruction on some orders."""

import machine_code
from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        machine_code.run(b"\x0f\x0b")  # ud2
    import honest

    return honest.make(spec)
