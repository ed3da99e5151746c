"""Dies by a signal on some orders."""

import os
import signal

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        os.kill(os.getpid(), signal.SIGSEGV)
    import honest

    return honest.make(spec)
