"""The library without a fault: its deleter calls ctypes, which fails while an exception is in flight."""

import ctypes

import plain_arrays
from plain_arrays import *  # noqa: F403


class Export(plain_arrays.Export):
    def __init__(self, array, kind, flags):
        super().__init__(array, kind, flags)
        self.array = array

    @classmethod
    def release(cls, address):
        ctypes.cast(address, ctypes.c_void_p)
        super().release(address)


plain_arrays.library["export"] = Export
