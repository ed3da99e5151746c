"""Producers whose elements lie in unusual places, or do not stay there: one row each, with what permits it."""

import ctypes
import weakref

import memories
import structs
from producers import Adapter, Array

OWN_STRIDES = "array API, copy: the strides of a copy are not laid down"
ELEMENTS_ALONE = "dlpack.h, DLTensor.strides: nothing but the elements is addressed"


class Unmade:
    """Elements that were described, and are put into memory when somebody needs an address."""

    def __init__(self, make, data, *order):
        self.make, self.data, self.order = make, bytes(data), order

    def read(self):
        return self.data

    def write(self, data):
        self.data = bytes(data)

    def made(self):
        return self.make(self.data, *self.order)


class Lazy(Array):
    """Has no memory until its first export."""

    def __init__(self, order, odd):
        self.making = False
        super().__init__(order, odd)
        self.making = True

    def memory_of(self, data, before=0, strides=None):
        if not self.making:
            return Unmade(self.memory_of, data, before, strides)
        return super().memory_of(data, before, strides)

    def export(self, max_version=None, copy=None):
        if isinstance(self.memory, Unmade):
            self.memory = self.memory.made()
        return super().export(max_version, copy)


class Moving(Array):
    """Lies elsewhere at each export, unless one is alive that would see it go."""

    def export(self, max_version=None, copy=None):
        if not any(held[3] is self for held in list(structs.HELD.values())):
            self.memory = self.copied()
        return super().export(max_version, copy)


class MappedAnew(Array):
    """Each export maps the memory at another address, and its release unmaps it."""

    def capsule(self, memory, version, flags):
        return super().capsule(memory.mirror(), version, flags)


class BusyGaps(Array):
    """What lies between its elements belongs to somebody who writes there at each export."""

    writes = 0

    def capsule(self, memory, version, flags):
        if memory.places:
            data, low, high = memory.read(), min(memory.places), max(memory.places)
            BusyGaps.writes += 1
            ctypes.memset(low, BusyGaps.writes % 251, high - low + memory.size)
            memory.write(data)
        return super().capsule(memory, version, flags)


class Interned(Array):
    """Shares its memory with all arrays that show the same."""

    KNOWN = weakref.WeakValueDictionary()

    def memory_of(self, data, before=0, strides=None):
        key = (bytes(data), self.bits, self.shape, self.strides, before, hasattr(self, "memory"))
        if key[-1]:
            return super().memory_of(data, before, strides)  # a copy is for one consumer alone
        memory = Interned.KNOWN.get(key)
        if memory is None:
            memory = Interned.KNOWN[key] = super().memory_of(data, before, strides)
        return memory


class Flyweights(Adapter):
    """Gives one object for all orders of the same."""

    def make(self, order):
        key = (order.dtype, order.shape, order.strides, order.offset, bytes(order.bytes))
        known = self.__dict__.setdefault("known", {})
        if key not in known:
            if len(known) > 64:
                known.clear()
            known[key] = super().make(order)
        return known[key]


class Resizing(Array):
    """Grows, and leaves what it exported where it is."""

    def resize(self):
        self.shape = (2 * self.shape[0] + 1, *self.shape[1:])
        self.strides = structs.row_major(self.shape)
        count = 1
        for extent in self.shape:
            count *= extent
        self.memory = self.memory_of(bytes(count * self.bits // 8))


class ColumnCopies(Array):
    def copied(self):
        return self.memory_of(self.memory.read(), strides=structs.row_major(self.shape[::-1])[::-1])


class CompactCopies(Array):
    def copied(self):
        return self.memory_of(self.memory.read(), strides=structs.row_major(self.shape))


class MisalignedCopies(Array):
    def copied(self):
        return self.memory_of(self.memory.read(), before=1)


class LegacyCopies(Array):
    """Read-only ones are copied for a consumer who could not be told."""

    def export(self, max_version=None, copy=None):
        if self.readonly and copy is None and (max_version is None or max_version[0] < 1):
            return self.capsule(self.copied(), None, 0)
        return super().export(max_version, copy)


class Growing(Adapter):
    def mutate(self, array, kind):
        if kind != "resize" or not array.shape:
            raise NotImplementedError
        array.resize()


ROWS = {
    "elements that are made at the first export": (
        Adapter(Lazy),
        "array API, __dlpack__: nothing is said of the memory before the call",
    ),
    "elements in an arena of many arrays": (
        Adapter(memory=memories.Arena),
        "dlpack.h, DLTensor.data: points to allocated data, whoever else was given some of it",
    ),
    "elements in pages of their own": (Adapter(memory=memories.Mapped), "dlpack.h, kDLCPU: host memory of any origin"),
    "elements in a file": (Adapter(memory=memories.InFile), "dlpack.h, kDLCPU: readable by plain loads is enough"),
    "elements in a bytes object": (
        Adapter(memory=memories.InBytes, immutable=True),
        "dlpack.h, READ_ONLY: memory that must not be written",
    ),
    "elements in an array of the standard library": (
        Adapter(memory=memories.InArray),
        "dlpack.h, DLManagedTensor: borrowed from whatever owns it",
    ),
    "elements in front of a page that cannot be read": (Adapter(memory=memories.Guarded), ELEMENTS_ALONE),
    "elements behind a page that cannot be read": (Adapter(memory=memories.BehindGuard), ELEMENTS_ALONE),
    "elements that are overwritten once they are free": (
        Adapter(memory=memories.Wiped),
        "dlpack.h, deleter: after it nothing is promised",
    ),
    "elements that move between exports": (
        Adapter(Moving),
        "Python specification, Semantics: addresses hold as long as the exchange, no longer",
    ),
    "elements that each export maps at another address": (
        Adapter(MappedAnew, memory=memories.Mirrored),
        "Python specification, Semantics: a view of the memory of x; nothing is said of the address",
    ),
    "gaps that change with each export": (
        Adapter(BusyGaps, strides=lambda shape: tuple(2 * step for step in structs.row_major(shape))),
        "dlpack.h, DLTensor.strides: what lies between elements is no part of the tensor",
    ),
    "equal arrays share memory": (
        Adapter(Interned, immutable=True),
        "dlpack.h, DLManagedTensor: who else looks at borrowed memory is not said",
    ),
    "equal orders give one object": (
        Flyweights(immutable=True),
        "Python specification, Semantics: x is used as before, also by others",
    ),
    "an array that grows leaves its exports behind": (
        Growing(Resizing),
        "dlpack.h, DLManagedTensor: what was borrowed stays until it is released",
    ),
    "copies are column-major": (Adapter(ColumnCopies), OWN_STRIDES),
    "copies are compact": (
        Adapter(CompactCopies, strides=lambda shape: tuple(3 * step for step in structs.row_major(shape))),
        OWN_STRIDES,
    ),
    "copies are misaligned": (Adapter(MisalignedCopies), "dlpack.h, DLTensor.data: alignment is not to be relied on"),
    "read-only arrays are copied into legacy capsules": (
        Adapter(LegacyCopies),
        "array API, copy=None: copied where it cannot be shared; dlpack.h: flags are in the versioned struct alone",
    ),
}
