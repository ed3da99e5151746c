"""Prints garbage wherever it can, lines that look like answers included. Otherwise it is correct."""

import os
import sys

from honest import *  # noqa: F403


def make(spec):
    print('{"n": 1, "pid": 1, "outcomes": {}}' * 1000, flush=True)
    print("x" * 100000, file=sys.stderr)
    os.write(1, b"\xff\x00" * 10000)
    import honest

    return honest.make(spec)
