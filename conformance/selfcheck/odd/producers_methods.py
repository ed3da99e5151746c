"""Producers whose methods are written in unusual ways: one row each, with what permits it."""

import collections
import functools
import gc
import time

from producers import Adapter, Array

ANY_ERROR = "array API, stream: what is raised for host memory is not said"
STUB = "array API, array object: methods of these names and signatures, however they come about"


class Partial(Array):
    def of_kind(self, kind, *, stream=None, max_version=None, dl_device=None, copy=None):
        return Array.__dlpack__(self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    __dlpack__ = functools.partialmethod(of_kind, "cpu")


class Bound:
    """What the descriptor gives: neither a function nor a method."""

    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    def __call__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return Array.__dlpack__(self.array, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


class Descriptor:
    def __get__(self, array, kind=None):
        return self if array is None else Bound(array)


class Described(Array):
    __dlpack__ = Descriptor()


class WrittenInC(Array):
    """Its device is the result of a C function that is called with no array at all."""

    __dlpack_device__ = staticmethod(functools.partial(tuple, (1, 0)))


class OfTheClass(Array):
    @classmethod
    def __dlpack_device__(cls):
        return (1, 0)


class Watched(Array):
    """Counts whatever is looked up."""

    looked = 0

    def __getattribute__(self, name):
        Watched.looked += 1
        return super().__getattribute__(name)


class Named(Array):
    Device = collections.namedtuple("Device", "kind number")

    def __dlpack_device__(self):
        return self.Device(1, 0)


class Number(int):
    """An int with another look, made anew each time."""

    def __repr__(self):
        return "cpu"

    __str__ = __repr__


class NumberedDevice(Array):
    def __dlpack_device__(self):
        return Number(1), Number(0)


class ByHand(Array):
    """Reads its arguments itself, and has no signature that tells of them."""

    def __dlpack__(self, *given, **named):
        keywords = {"stream", "max_version", "dl_device", "copy"}
        if given or not keywords.issuperset(named):
            raise TypeError("not so")
        return super().__dlpack__(**named)

    __dlpack__.__signature__ = "see the manual"


class Slow(Array):
    def __dlpack_device__(self):
        time.sleep(0.001)
        return super().__dlpack_device__()

    def export(self, max_version=None, copy=None):
        time.sleep(0.001)
        return super().export(max_version, copy)


class Collecting(Array):
    def export(self, max_version=None, copy=None):
        gc.collect(0)
        return super().export(max_version, copy)


ROWS = {
    "__dlpack__ is a partial method": (Adapter(Partial), STUB),
    "__dlpack__ is made by a descriptor": (Adapter(Described), STUB),
    "a device written in C": (Adapter(WrittenInC), STUB),
    "the device is the class's": (Adapter(OfTheClass), STUB),
    "every attribute is watched": (Adapter(Watched), STUB),
    "the device is a named tuple": (Adapter(Named), "array API, __dlpack_device__: a tuple, which a named one is too"),
    "the device has numbers of its own kind": (
        Adapter(NumberedDevice),
        "array API, __dlpack_device__: numbers, which those of subclasses are too",
    ),
    "no signature": (Adapter(ByHand), STUB),
    "slow methods": (Adapter(Slow), "array API, __dlpack__: nothing says how long it may take"),
    "an export collects garbage": (Adapter(Collecting), "array API, __dlpack__: nothing says what else it does"),
    "a stream is an AssertionError": (Adapter(stream_error=AssertionError), ANY_ERROR),
    "a stream is not implemented": (Adapter(stream_error=NotImplementedError), ANY_ERROR),
}
