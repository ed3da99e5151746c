"""Swaps the bytes of what it imports."""

from honest import *  # noqa: F403


class Swapped:
    def __init__(self, tensor):
        self.tensor = tensor


def from_dlpack(source, **kwargs):
    import honest

    return Swapped(honest.from_dlpack(source, **kwargs))


def contents(array):
    return array.tensor.tobytes()[::-1] if isinstance(array, Swapped) else array.tobytes()
