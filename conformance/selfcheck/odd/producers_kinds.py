"""Producers whose arrays are unusual objects: one row each, with what permits it."""

import collections
import weakref

from producers import Adapter, Array
from producers_methods import STUB

ANY_OBJECT = "Python specification, Syntax: any object with the two methods"


class Slots:
    """Has neither a dictionary nor weak references."""

    __slots__ = ("array",)

    def __init__(self, order, odd):
        self.array = Array(order, odd)

    memory = property(lambda self: self.array.memory)
    readonly = property(lambda self: self.array.readonly)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self.array.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self):
        return (1, 0)


class Forwards:
    """Beside a builtin type: everything is in an array of its own."""

    def __new__(cls, order, odd):
        made = super().__new__(cls)
        made.array = Array(order, odd)
        return made

    def __init__(self, order, odd):
        super().__init__()

    memory = Slots.memory
    readonly = Slots.readonly
    __dlpack__ = Slots.__dlpack__
    __dlpack_device__ = Slots.__dlpack_device__


class OfTuples(Forwards, tuple):
    pass


class OfNumbers(Forwards, int):
    """Equal to 0, and to each other."""


class OfDicts(Forwards, dict):
    """Empty, and neither true nor hashable."""


class OfErrors(Forwards, Exception):
    pass


class OfBytes(bytearray):
    """Its own buffer, which shows other bytes than its elements."""

    memory, readonly = Slots.memory, Slots.readonly
    __dlpack__, __dlpack_device__ = Slots.__dlpack__, Slots.__dlpack_device__

    def __init__(self, order, odd):
        super().__init__(b"not the elements")
        self.array = Array(order, odd)


class Meta(type):
    """Its instances are classes, and export themselves."""

    memory, readonly = Slots.memory, Slots.readonly
    __dlpack__, __dlpack_device__ = Slots.__dlpack__, Slots.__dlpack_device__


def a_class(order, odd):
    return Meta("Made", (), {"array": Array(order, odd)})


class InCycles(Array):
    """Refers to itself: it goes when garbage is collected, no sooner."""

    def __init__(self, order, odd):
        super().__init__(order, odd)
        self.itself = [self]


class Alike(Array):
    """Equal to everything, and false."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __bool__(self):
        return False


class Elementwise(Array):
    """Comparisons give lists; so does what looks like a number."""

    __hash__ = None

    def __eq__(self, other):
        return [False, True]

    def __len__(self):
        return len(self.shape)

    def __iter__(self):
        raise TypeError("not for loops")


class Answers:
    """An answer to whatever is asked; it can be called, indexed and asked in turn."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given, **named):
        return self

    def __getitem__(self, index):
        return self


class AnswersAll(Array):
    """Has every attribute that does not begin with two underscores, as those of mocks and remote objects."""

    def __getattr__(self, name):
        if name.startswith("__") or name in ("memory", "strides"):
            raise AttributeError(name)
        return Answers()


class AsMethods(Array):
    """What others have as attributes are methods here."""

    def nbytes(self):
        return len(self.memory.places) * self.memory.size

    def dtype(self):
        return self.code, self.bits

    def T(self):  # noqa: N802
        return None

    def device(self):
        return "here"


class ListSlices(Array):
    """An index gives bytes, a slice a list of them: nothing that is an array."""

    def __getitem__(self, index):
        if not self.shape:
            raise IndexError("no axis")
        return list(self.memory.read())[index if isinstance(index, (int, slice)) else slice(None)]

    @property
    def T(self):  # noqa: N802
        return "".join("T" for _ in self.shape)


class Sealed(Array):
    """Can be neither copied nor pickled, listed or measured."""

    def __reduce_ex__(self, protocol):
        raise TypeError("not for pickles")

    __copy__ = __deepcopy__ = __sizeof__ = __dir__ = __format__ = __reduce_ex__


class Proxies(Adapter):
    """Gives weak proxies of arrays, and keeps the last few hundred of these."""

    def make(self, order):
        kept = self.__dict__.setdefault("kept", collections.deque(maxlen=512))
        kept.append(super().make(order))
        return weakref.proxy(kept[-1])


ROWS = {
    "neither a dictionary nor weak references": (Adapter(Slots), STUB),
    "arrays are tuples": (Adapter(OfTuples), ANY_OBJECT),
    "arrays are numbers": (Adapter(OfNumbers), ANY_OBJECT),
    "arrays are empty dictionaries": (Adapter(OfDicts), ANY_OBJECT),
    "arrays are exceptions": (Adapter(OfErrors), ANY_OBJECT),
    "arrays with a buffer of other bytes": (Adapter(OfBytes), "Python specification, Syntax: the two methods count"),
    "arrays are classes": (Adapter(a_class), ANY_OBJECT),
    "arrays in cycles": (Adapter(InCycles), "dlpack.h, DLManagedTensor: when the owner itself goes is its affair"),
    "arrays that are equal to everything, and false": (Adapter(Alike), STUB),
    "comparisons that give lists": (Adapter(Elementwise), STUB),
    "every attribute is there": (Adapter(AnswersAll, standard="dlpack"), STUB),
    "attributes are methods": (Adapter(AsMethods, standard="dlpack"), STUB),
    "slices that are no arrays": (Adapter(ListSlices, standard="dlpack"), STUB),
    "arrays that can be neither copied nor measured": (Adapter(Sealed), STUB),
    "weak proxies": (Proxies(), ANY_OBJECT),
}
