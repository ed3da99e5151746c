"""An array that cannot be resized any more after an export of it was released on another thread."""

import threading

import plain_arrays
from plain_arrays import *  # noqa: F403


class Export(plain_arrays.Export):
    @classmethod
    def release(cls, address):
        if threading.current_thread() is not threading.main_thread() and address in plain_arrays.Export.live:
            plain_arrays.Export.live[address].array_memory.was_released_elsewhere = True
        super().release(address)


def mutate(array, kind):
    if kind != "resize":
        raise NotImplementedError(kind)
    if hasattr(array.memory, "was_released_elsewhere"):
        raise ValueError("the array is still exported")
    old = array.read()
    array.shape = (*array.shape[:-1], array.shape[-1] + 1) if array.shape else array.shape
    grown = plain_arrays.Array(array.dtype, array.shape, row_major(array.shape), 0, False)
    grown.store(old + bytes(len(grown.read()) - len(old)))
    array.memory, array.strides, array.offset = grown.memory, grown.strides, 0


def row_major(shape):
    steps = [1] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        steps[axis - 1] = steps[axis] * shape[axis]
    return steps


plain_arrays.library["export"] = Export
