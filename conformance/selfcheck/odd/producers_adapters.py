"""Producers whose adapter is unusual, gives little, or can do little: one row each, with what permits it."""

import collections

import structs
from producers import Adapter, Array

CONTRACT = "adapters: every function is optional"
ORDERS = "adapters: NotImplementedError for what the library cannot make"


class MakesOnly:
    """make, and nothing else: no name of an attribute but that."""

    def __init__(self, inner):
        self.make = inner.make


class Reads(MakesOnly):
    """make and contents: nobody can write."""

    def __init__(self, inner):
        super().__init__(inner)
        self.contents = inner.contents


class Writes(MakesOnly):
    """make and write: nobody can read."""

    def __init__(self, inner):
        super().__init__(inner)
        self.write = inner.write


class Normal(Adapter):
    """Can also show elements of a copy."""

    reader = "Array.tobytes"

    def normalised(self, array):
        return array.copied().read()

    def version(self):
        return ("1", 5, "beta \ud800")


class States(Adapter):
    """Has the same elements in other states."""

    def states(self, array):
        order = collections.namedtuple("Order", "dtype shape strides offset readonly bytes")
        name = next(name for name, code in structs.CODES.items() if code == array.code)
        dtype = "bool" if name == "bool" else f"{name}{array.bits}"
        values = (array.shape, None, 0, False, array.memory.read())
        return {
            "reversed": Array(order(dtype, *values), {"strides": lambda s: tuple(-t for t in structs.row_major(s))}),
            "frozen": Array(order(dtype, *values), {"immutable": True}),
            "lost": Array(order(dtype, *values), {"always copies": True}),
        }


class NoStates(Adapter):
    def states(self, array):
        raise NotImplementedError("one state only")


class Reshapes(Adapter):
    """Can be reshaped in place; only the array changes."""

    def mutate(self, array, kind):
        if kind != "reshape":
            raise NotImplementedError(kind)
        if array.strides != structs.row_major(array.shape) or not array.memory.places:
            raise ValueError("only where it lies in C order")
        array.shape = (len(array.memory.places),)
        array.strides = array.memory.strides = (1,)


class Locked(Adapter):
    """Refuses to be changed in place while an export is alive, as the buffers of bytearrays do."""

    def mutate(self, array, kind):
        if any(held[3] is array for held in list(structs.HELD.values())):
            raise BufferError("an export is alive")
        raise NotImplementedError(kind)


class Images(Adapter):
    """Images: bytes, three axes, in C order; it says so."""

    dtypes, max_rank = ("uint8",), 3

    def __init__(self):
        super().__init__(dtypes=self.dtypes, ranks=(self.max_rank,), compact=True)


class Filters(Adapter):
    """Makes arrays of some orders alone. `takes`: a function of the order."""

    def __init__(self, takes, kind=Array, **odd):
        super().__init__(kind, **odd)
        self.takes = takes

    def make(self, order):
        if not self.takes(order):
            raise NotImplementedError("no such array")
        return super().make(order)


class RefusesOdd(Adapter):
    """Has arrays that cannot be exported, or only as copies."""

    def odd(self, kind, order):
        if kind == "byte-order":
            return super().make(order) if order.dtype in ("uint8", "int8", "bool") else Swapped(order)
        if kind in ("record-field", "sparse", "distributed"):
            return Unexported(order, {})
        raise NotImplementedError(kind)


class Unexported(Array):
    def export(self, max_version=None, copy=None):
        raise BufferError("there is no such tensor")


class Swapped(Array):
    """Lies in the other byte order; each export is a copy in the machine's."""

    def __init__(self, order):
        super().__init__(order, {"always copies": True})


def size_of(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


ROWS = {
    "make alone": (MakesOnly(Adapter()), CONTRACT),
    "make and contents alone": (Reads(Adapter()), CONTRACT),
    "make and write alone": (Writes(Adapter()), CONTRACT),
    "a copy to read, and a strange version": (Normal(), CONTRACT),
    "states: reversed, frozen, copied": (States(), "adapters: the same elements in other states"),
    "states that there are none of": (NoStates(), ORDERS),
    "an array that is reshaped in place": (
        Reshapes(),
        "dlpack.h, DLTensor.shape: the export's own list, whatever the array does later",
    ),
    "an array that is not changed while it is lent": (
        Locked(),
        "Python specification, Semantics: used as before, which never meant resizing",
    ),
    "images of bytes, and it says so": (Images(), ORDERS),
    "no empty arrays": (Filters(lambda order: 0 not in order.shape), ORDERS),
    "no axes of one element": (Filters(lambda order: 1 not in order.shape), ORDERS),
    "no array is read-only": (Filters(lambda order: not order.readonly), ORDERS),
    "no offsets, no strides": (Filters(lambda order: order.strides is None and not order.offset), ORDERS),
    "at most eight elements": (Filters(lambda order: size_of(order.shape) <= 8), ORDERS),
    "complex numbers alone": (Filters(lambda order: order.dtype.startswith("complex")), ORDERS),
    "truth values alone": (Filters(lambda order: order.dtype == "bool"), ORDERS),
    "one column-major matrix": (
        Filters(
            lambda order: order.dtype == "int64" and len(order.shape) == 2 and order.strides is None,
            strides=lambda shape: structs.row_major(shape[::-1])[::-1],
        ),
        ORDERS,
    ),
    "arrays that cannot be exported": (RefusesOdd(), "array API, __dlpack__, Raises: BufferError"),
}
