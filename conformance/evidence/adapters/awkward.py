"""Awkward Array 2.4 and later: it imports, and its arrays are immutable. It has no __dlpack__ of its own."""

import awkward


def version():
    return awkward.__version__


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("awkward.from_dlpack has no device and no copy")
    return awkward.from_dlpack(source)


def contents(array):
    return awkward.to_numpy(array).tobytes()


def write(array, data):
    raise TypeError("Awkward Array's arrays are immutable")


standard = "dlpack"
