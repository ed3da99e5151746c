"""A deleter that releases the newest export in place of its own."""

import ctypes

import plain_arrays
from plain_arrays import *  # noqa: F403


class Export(plain_arrays.Export):
    gone = []  # their memory stays, so that a later call of a deleter finds one: freed memory ends some processes

    @classmethod
    def release(cls, address):
        if plain_arrays.Export.live:
            _, newest = plain_arrays.Export.live.popitem()
            ctypes.memset(newest.struct.tensor.shape, 0, 16 * newest.struct.tensor.ndim)
            Export.gone.append(newest)


plain_arrays.library["export"] = Export
