"""A library that waits for ever when an export is released while two others live."""

import time

import plain_arrays
from plain_arrays import *  # noqa: F403


class Export(plain_arrays.Export):
    @classmethod
    def release(cls, address):
        while len(plain_arrays.Export.live) > 2:
            time.sleep(1)
        super().release(address)


plain_arrays.library["export"] = Export
