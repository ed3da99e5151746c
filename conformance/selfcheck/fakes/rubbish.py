"""Writes garbage into the channel of the worker on some orders."""

import os
import stat

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        for descriptor in range(3, 256):
            try:
                is_channel = stat.S_ISSOCK(os.fstat(descriptor).st_mode)
            except OSError:
                continue
            if is_channel:
                os.write(descriptor, b"rubbish\n")
    import honest

    return honest.make(spec)
