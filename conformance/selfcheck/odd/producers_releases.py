"""Producers whose deleters and destructors are unusual: one row each, with what permits it."""

import collections
import ctypes
import gc
import threading
import time

import structs
from producers import Adapter, Array
from producers_exports import LIBC, deleter
from sweeping import Sweeper

NOTIFIES = "dlpack.h, DLManagedTensor: the deleter notifies that the resource is no longer needed"
GONE = collections.deque(maxlen=64)


@deleter
def wipe(address):
    held = structs.HELD.pop(address)
    ctypes.memset(address, 0xDD, ctypes.sizeof(held[0]))
    for each in held[1]:
        ctypes.memset(each, 0xDD, ctypes.sizeof(each))
    GONE.append(held[:2])  # who looks shall see it, and not crash


BATCH = []


@deleter
def free_in_batches(address):
    BATCH.append(address)
    if len(BATCH) == 7:
        for each in BATCH:
            structs.HELD.pop(each, None)
        BATCH.clear()


def let_go(address):
    structs.HELD.pop(address, None)


@deleter
def free_and_collect(address):
    structs.HELD.pop(address, None)
    gc.collect(0)


@deleter
def free_slowly(address):
    time.sleep(0.001)
    structs.HELD.pop(address, None)


LOCK = threading.RLock()


@deleter
def free_under_lock(address):
    with LOCK:
        held = structs.HELD.pop(address, None)
    del held


class Locking(Array):
    """Exports and releases exclude each other."""

    def capsule(self, memory, version, flags):
        with LOCK:
            return super().capsule(memory, version, flags)


@deleter
def drop_reference(address):
    """The array's reference is in manager_ctx, counted in C."""
    LIBC.Py_DecRef(structs.HELD.pop(address)[0].manager_ctx)


class Counted(Array):
    """manager_ctx is the array itself, with a reference counted for it."""

    def exported(self, address, managed):
        structs.HELD[address] = (*structs.HELD[address][:3], None)
        managed.manager_ctx = id(self)
        LIBC.Py_IncRef(id(self))


@structs.FREE
def release_by_context(capsule):
    """A destructor that knows from the capsule's context what to free, and asks the name whether it still may."""
    try:
        name = structs.API.PyCapsule_GetName(capsule)
    except ctypes.ArgumentError:  # as in structs.release_unconsumed
        name = structs.API.PyCapsule_GetName(capsule)
    if not ctypes.string_at(name).startswith(b"used_"):
        structs.HELD.pop(LIBC.PyCapsule_GetContext(capsule), None)


class Contexts(Array):
    def capsule(self, memory, version, flags):
        made = super().capsule(memory, version, flags)
        LIBC.PyCapsule_SetContext(id(made), structs.address_of(made))
        return made


ROWS = {
    "structs are overwritten when they are freed": (
        Adapter(deleter=wipe),
        "dlpack.h, deleter: destructs the argument itself",
    ),
    "releases in batches of seven": (Adapter(deleter=free_in_batches), NOTIFIES),
    "releases by a thread that comes later": (Adapter(deleter=deleter(Sweeper(0.005, let_go).take)), NOTIFIES),
    "releases four times a second": (Adapter(deleter=deleter(Sweeper(0.25, let_go).take)), NOTIFIES),
    "a deleter that collects garbage": (
        Adapter(deleter=free_and_collect),
        "Python specification, Implementation: a deleter may use the interpreter",
    ),
    "a slow deleter": (Adapter(deleter=free_slowly), "dlpack.h, deleter: nothing says how long it may take"),
    "a deleter that waits for a lock": (
        Adapter(Locking, deleter=free_under_lock),
        "Python specification, Implementation: called from any thread, so that locks are due",
    ),
    "references counted in C": (
        Adapter(Counted, deleter=drop_reference),
        "dlpack.h, manager_ctx: the context of the original framework",
    ),
    "a capsule with a context": (
        Adapter(Contexts, destructor=release_by_context),
        "Python specification, Implementation: name, pointer and destructor are laid down, the context is free",
    ),
}
