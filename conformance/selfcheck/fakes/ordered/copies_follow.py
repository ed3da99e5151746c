"""A copy that shares the memory of its source, when another export of that lives."""

import plain_arrays
from plain_arrays import *  # noqa: F403


class Array(plain_arrays.Array):
    def copied(self):
        is_lent = any(each.array_memory is self.memory for each in plain_arrays.Export.live.values())
        return self if is_lent else super().copied()


plain_arrays.array_type[0] = Array
