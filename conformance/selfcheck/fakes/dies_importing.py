"""Dies by a signal of some imports."""

import os
import signal

from honest import *  # noqa: F403


def from_dlpack(source, **kwargs):
    import honest

    tensor = honest.from_dlpack(source, **kwargs)
    if any(stride < 0 for stride in tensor.strides):
        os.kill(os.getpid(), signal.SIGSEGV)
    return tensor
