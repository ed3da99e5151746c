"""A deleter that releases the newest export in place of its own."""

import plain_arrays
from plain_arrays import *  # noqa: F403


class Export(plain_arrays.Export):
    @classmethod
    def release(cls, address):
        if plain_arrays.Export.live:
            plain_arrays.Export.live.popitem()


plain_arrays.library["export"] = Export
