"""Ignores byte_offset: its imports begin at data."""

from honest import *  # noqa: F403


class Blind:
    def __init__(self, tensor):
        self.tensor = tensor


def from_dlpack(source, **kwargs):
    import honest

    return Blind(honest.from_dlpack(source, **kwargs))


def contents(array):
    if not isinstance(array, Blind):
        return array.tobytes()
    seen = array.tensor.tobytes()
    return seen[4:] + seen[:4] if array.tensor.byte_offset else seen
