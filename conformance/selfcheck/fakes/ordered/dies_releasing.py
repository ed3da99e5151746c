"""A library that dies when a copy is released while another export of its kind lives."""

import os
import signal

import plain_arrays
from plain_arrays import *  # noqa: F403


class Export(plain_arrays.Export):
    def __init__(self, array, kind, flags):
        super().__init__(array, kind, flags)
        self.is_copy = bool(flags & 2)

    @classmethod
    def release(cls, address):
        released = plain_arrays.Export.live.get(address)
        if released and released.is_copy and sum(each.is_copy for each in plain_arrays.Export.live.values()) > 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        super().release(address)


plain_arrays.library["export"] = Export
