"""Exports whose shape and strides stand in memory that the next export of the same rank overwrites."""

import plain_arrays
from plain_arrays import *  # noqa: F403


class Export(plain_arrays.Export):
    shared = {}  # by rank

    @staticmethod
    def lists(address, rank):
        return Export.shared.setdefault(rank, plain_arrays.Memory(16 * 8)).address


plain_arrays.library["export"] = Export
