"""Consumers whose imports are unusual things: one row each, with what permits it."""

import array
import ctypes
import itertools
import math

from consumers import Adapter, Import, Taken

KIND = "Python specification, Syntax: what from_dlpack returns is the library's own kind of array"


class Via(Adapter):
    """Reads capsules by another class than Taken."""

    def __init__(self, reads, **rest):
        super().__init__(**rest)
        self.reads = reads

    def from_dlpack(self, source, *, device=None, copy=None):
        if device is not None:
            raise ValueError("no such device")
        taken = self.reads(self.capsule_of(source, copy), self.odd)
        return self.kind(taken, {**self.odd, "copies": True} if copy else self.odd)


class Makes(Via):
    """`result`: a function of the import that gives something else in its place."""

    def __init__(self, result, shows, **rest):
        super().__init__(Taken, **rest)
        self.result, self.shows = result, shows

    def from_dlpack(self, source, **keywords):
        return self.result(super().from_dlpack(source, **keywords))

    def contents(self, made):
        return self.shows(made)

    def write(self, made, data):
        raise NotImplementedError("it is not for writing")


class CopyMakes(Makes):
    def from_dlpack(self, source, *, device=None, copy=None):
        if copy is False:
            raise BufferError("every import is a copy")
        return super().from_dlpack(source, device=device, copy=copy)


FORMATS = {"int": "bhiq", "uint": "BHIQ", "float": "-efd", "bool": "?---"}


def a_view(imported):
    """A view of the elements, which keeps the import through the object that it views."""
    taken = imported.taken
    if taken is None:
        return memoryview(bytes(imported.own))
    kind, size = taken.dtype.rstrip("0123456789"), (8, 16, 32, 64).index(min(8 * taken.size, 64))
    form = FORMATS.get(kind, "----")[size]
    if not taken.is_compact() or not taken.shape or 0 in taken.shape or form == "-" or taken.size > 8:
        raise BufferError("compact tensors of numbers that a view can show")
    elements = (ctypes.c_char * (math.prod(taken.shape) * taken.size)).from_address(taken.first)
    elements.imported = imported
    view = memoryview(elements).cast("B").cast(form, taken.shape)
    return view.toreadonly() if imported.readonly else view


class Number(int):
    """A handle: a number that keeps what it stands for."""


NUMBERS = itertools.count(7)


def a_handle(imported):
    made = Number(next(NUMBERS))
    made.imported = imported
    return made


class Wrapped:
    """Holds an import, and offers nothing of DLPack."""

    __slots__ = ("inner", "__weakref__")

    def __init__(self, inner):
        self.inner = inner


class Falsy(Import):
    """Equal to everything, false, and without a length."""

    __hash__ = None

    def __eq__(self, other):
        return True

    def __bool__(self):
        return False

    def __len__(self):
        return 0

    def __repr__(self):
        raise RuntimeError("not to be shown")


class Dtyped(Import):
    """Names of its own for everything."""

    dtype, device, nbytes, shape_name = 7, 0, "many", "rows"


class CopyOnWrite(Import):
    """What is read-only is copied when somebody writes."""

    def write(self, data):
        if self.taken is not None and self.readonly:
            taken, self.own, self.shape = self.taken, bytearray(self.contents()), self.taken.shape
            self.taken = None
            taken.release()
        super().write(data)


def same(data):
    return bytes(data)


ROWS = {
    "imports are views of memory": (Makes(a_view, memoryview.tobytes), KIND),
    "imports are numbers": (Makes(a_handle, lambda made: made.imported.contents()), KIND),
    "imports are tuples": (Makes(lambda made: (made, "array"), lambda made: made[0].contents()), KIND),
    "imports are wrapped, and offer nothing": (Makes(Wrapped, lambda made: made.inner.contents()), KIND),
    "imports are functions": (Makes(lambda made: made.contents, lambda made: made()), KIND),
    "imports are bytes": (CopyMakes(lambda made: made.contents(), same, copies=True), KIND),
    "imports are lists of numbers": (CopyMakes(lambda made: list(made.contents()), same, copies=True), KIND),
    "imports are arrays of the standard library": (
        CopyMakes(lambda made: array.array("B", made.contents()), same, copies=True),
        KIND,
    ),
    "imports that are equal to everything, and false": (Adapter(Falsy), KIND),
    "names of its own for dtype, device and size": (Adapter(Dtyped), KIND),
    "read-only imports are copied when written": (
        Adapter(CopyOnWrite),
        "array API, __dlpack__, Notes: nobody writes to what is read-only, and a copy is not",
    ),
}
