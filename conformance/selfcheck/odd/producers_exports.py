"""Producers whose structs, deleters and capsules are unusual: one row each, with what permits it."""

import ctypes
import itertools
import threading

import structs
from producers import Adapter, Array

LIBC = ctypes.PyDLL(None)
LIBC.malloc.restype = ctypes.c_void_p
LIBC.malloc.argtypes = [ctypes.c_size_t]
LIBC.free.argtypes = [ctypes.c_void_p]
LIBC.PyCapsule_SetContext.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
LIBC.PyCapsule_GetContext.argtypes = [ctypes.c_void_p]
LIBC.PyCapsule_GetContext.restype = ctypes.c_void_p
for counting in (LIBC.Py_IncRef, LIBC.Py_DecRef):
    counting.argtypes = [ctypes.c_void_p]
    counting.restype = None
FREE_OF_C = ctypes.cast(LIBC.free, ctypes.c_void_p).value


def deleter(function):
    """A deleter that does several things. What is in flight would end one of them, and is forgotten first."""

    def called(address):
        try:
            raise KeyError
        except (KeyError, SystemError):
            function(address)

    return structs.FREE(called)


def kind_of(version):
    return structs.Legacy if version is None else structs.Versioned


class Placed(Array):
    """Fills a struct at an address of its own choice. `placed` gives the address and the function that frees it."""

    def capsule(self, memory, version, flags):
        address, deleter = self.placed(memory, version)
        managed = kind_of(version).from_address(address)
        ctypes.memset(address, 0, ctypes.sizeof(managed))
        if version is not None:
            (managed.major, managed.minor), managed.flags = version, flags
        kept = self.fill(managed.tensor, memory, nullable=version is None)
        managed.manager_ctx, managed.deleter = address, deleter
        structs.HELD[address] = (managed, kept, memory, self)
        return structs.capsule_of(managed)


def pointer(function):
    return ctypes.cast(function, ctypes.c_void_p).value


class Malloced(Array):
    """Each export is a copy: struct, lists and elements in one block of malloc, and free() is its deleter."""

    def export(self, max_version=None, copy=None):
        if copy is False:
            raise BufferError("it cannot be shared")
        versioned = max_version is not None and max_version[0] >= 1
        data, rank = self.memory.read(), len(self.shape)
        kind = kind_of(versioned or None)
        head = (ctypes.sizeof(kind) + 16 * rank + 63) // 64 * 64
        address = LIBC.malloc(head + len(data) + 1)
        managed, lists = kind.from_address(address), address + ctypes.sizeof(kind)
        ctypes.memset(address, 0, head)
        shape, strides = ((ctypes.c_int64 * rank).from_address(lists + each) for each in (0, 8 * rank))
        shape[:], strides[:] = self.shape, structs.row_major(self.shape)
        ctypes.memmove(address + head, data, len(data))
        tensor = managed.tensor
        structs.set_layout(tensor, shape, strides)
        tensor.ndim, tensor.code, tensor.bits, tensor.lanes = rank, self.code, self.bits, 1
        tensor.data = address + head if data else 0
        managed.deleter = FREE_OF_C
        if versioned:
            managed.major, managed.minor, managed.flags = 1, 3, structs.IS_COPIED
        return structs.capsule_of(managed)


ROOMS = []  # structs that nobody uses; the last one freed is the first one used


@deleter
def free_room(address):
    structs.HELD.pop(address, None)
    ROOMS.append(address)


def a_room():
    try:
        return ROOMS.pop()
    except IndexError:
        return LIBC.malloc(128)


class Embedded(Placed):
    """The struct of one export at a time is a part of the array; further ones have their own."""

    def __init__(self, order, odd):
        super().__init__(order, odd)
        self.room, self.choosing = ctypes.create_string_buffer(128), threading.RLock()

    def capsule(self, memory, version, flags):
        with self.choosing:
            return super().capsule(memory, version, flags)

    def placed(self, memory, version):
        place = ctypes.addressof(self.room)
        return (a_room(), pointer(free_room)) if place in structs.HELD else (place, pointer(structs.free))


class Reused(Placed):
    """The struct that was freed last is the next one's."""

    def placed(self, memory, version):
        return a_room(), pointer(free_room)


SLOTS = {}  # number -> address
NUMBERS = itertools.count()


@deleter
def free_slot(address):
    slot = structs.HELD[address][0].manager_ctx
    structs.HELD.pop(SLOTS.pop(slot))


class Numbered(Array):
    """manager_ctx is the number of the export; that of the first is zero, which is NULL."""

    def exported(self, address, managed):
        managed.manager_ctx = slot = next(NUMBERS)
        SLOTS[slot] = address


class ItsOwnContext(Array):
    def exported(self, address, managed):
        managed.manager_ctx = address


SPELLINGS = {
    versioned: itertools.cycle([ctypes.create_string_buffer(structs.NAMES[versioned].value, 64) for _ in range(9)])
    for versioned in (False, True)
}


class ManyNames(Array):
    """The capsule's name stands at another address each time; all of them are static."""

    def capsule(self, memory, version, flags):
        made = super().capsule(memory, version, flags)
        structs.API.PyCapsule_SetName(id(made), ctypes.addressof(next(SPELLINGS[version is not None])))
        return made


class Ownerless(Array):
    """An export keeps the memory, and lets the array go."""

    def exported(self, address, managed):
        structs.HELD[address] = (*structs.HELD[address][:3], None)


class Versions(Array):
    """Each export declares another minor version, none of which it goes beyond."""

    def version(self, asked):
        self.minor = (self.__dict__.get("minor", -1) + 1) % 4
        return (1, self.minor)


class Cautious(Array):
    """Everything is exported as read-only, though its owner may write."""

    def capsule(self, memory, version, flags):
        if version is not None and not flags & structs.IS_COPIED:
            flags |= structs.READ_ONLY
        return super().capsule(memory, version, flags)


class Chained(Array):
    """Exports what another array exports to it, and releases that with its own."""

    def __init__(self, order, odd):
        super().__init__(order, odd)
        self.inner = Array(order, odd)
        self.memory = self.inner.memory

    def capsule(self, memory, version, flags):
        inner = Array.capsule(self.inner, memory, version, flags)
        made = super().capsule(memory, version, flags)
        structs.HELD[structs.address_of(made)] += (inner,)
        return made


class Generations(Array):
    """Exports since the last write share the object that holds the array for them."""

    def capsule(self, memory, version, flags):
        state = hash(memory.read())
        if self.__dict__.get("state") != state:
            self.state, self.holder = state, [memory, self.shape]
        return super().capsule(memory, version, flags)

    def exported(self, address, managed):
        structs.HELD[address] = (*structs.HELD[address][:3], self.holder)


class AllKinds(Array):
    """Makes structs of both kinds in each call, and gives away one."""

    def export(self, max_version=None, copy=None):
        other = None if max_version is not None and max_version[0] >= 1 else (1, 3)
        unused = None if self.readonly else super().export(other, False)
        made = super().export(max_version, copy)
        del unused
        return made


ROWS = {
    "one block of malloc, and free as its deleter": (
        Adapter(Malloced),
        "dlpack.h, deleter: a C function of one pointer; IS_COPIED: the copy is the consumer's",
    ),
    "the struct is a part of the array": (
        Adapter(Embedded),
        "dlpack.h, deleter: destructs the context that holds the struct, whatever that is",
    ),
    "the struct that was freed last is used next": (Adapter(Reused), "dlpack.h, deleter: frees for any other use"),
    "manager_ctx is a number, zero too": (
        Adapter(Numbered, deleter=free_slot),
        "dlpack.h, manager_ctx: can also be NULL, and is the producer's",
    ),
    "manager_ctx is the struct": (Adapter(ItsOwnContext), "dlpack.h, manager_ctx: the producer's own"),
    "names at many addresses": (
        Adapter(ManyNames),
        "Python specification, Implementation: the name is what it spells, and has static storage",
    ),
    "exports keep the memory, not the array": (
        Adapter(Ownerless),
        "dlpack.h, DLManagedTensor: what is borrowed stays valid, not who lent it",
    ),
    "another minor version each time": (
        Adapter(Versions),
        "array API, max_version: the capsule may have another version than was asked for",
    ),
    "READ_ONLY although the owner may write": (
        Adapter(Cautious),
        "dlpack.h, READ_ONLY: says what a consumer may do, nothing of the producer",
    ),
    "an export of an export": (Adapter(Chained), "Python specification, Semantics: a consumer may be a producer"),
    "exports since the last write have one owner": (
        Adapter(Generations),
        "dlpack.h, manager_ctx: what holds the memory is the producer's affair",
    ),
    "a second export that is dropped at once": (
        Adapter(AllKinds),
        "Python specification, Implementation: a capsule that nobody consumes releases itself",
    ),
}
