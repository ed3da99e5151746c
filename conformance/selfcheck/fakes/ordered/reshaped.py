"""The library without a fault: its arrays are viewed and reshaped in place, and share their memory all the time."""

import copy

import plain_arrays
from plain_arrays import *  # noqa: F403


class Array(plain_arrays.Array):
    def __getitem__(self, part):
        if part != slice(None):
            raise IndexError("all of it, or nothing")
        return copy.copy(self)


def mutate(array, kind):
    if kind != "reshape":
        raise NotImplementedError(kind)
    array.shape, array.strides = (1, *array.shape), (0, *array.strides)


plain_arrays.array_type[0] = Array
