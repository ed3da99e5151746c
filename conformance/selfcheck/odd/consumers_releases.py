"""Consumers that read or release tensors in unusual ways: one row each, with what permits it."""

import ctypes
import struct
import weakref

import structs
from consumers import Adapter, Import, Taken
from consumers_results import Via
from sweeping import Sweeper

RELEASED = "dlpack.h, DLManagedTensor: released when it is no longer needed, at a time that is not laid down"


COPIED = "Python specification, Semantics: copied where something forces it, which the consumer knows"


class Holds(Import):
    """Keeps the capsule whose struct it took."""

    def __init__(self, taken, odd):
        self.kept = taken.capsule
        super().__init__(taken, odd)


class InACycle(Import):
    """Refers to itself: it goes when garbage is collected."""

    def __init__(self, taken, odd):
        super().__init__(taken, odd)
        self.itself = [self]


class Finalized(Import):
    """Releases by a finaliser that is no method."""

    def __init__(self, taken, odd):
        super().__init__(taken, odd)
        if self.taken is not None:
            weakref.finalize(self, taken.release)

    def __del__(self):
        pass


class Closed(Import):
    """Can be released by hand, once; goes by itself otherwise."""

    def close(self):
        taken, self.taken = self.taken, None
        if taken is not None:
            taken.release()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class Swept(Import):
    """A thread releases it a little later."""

    sweeper = Sweeper(0.005, lambda taken: taken.release())

    def __del__(self):
        taken, self.taken = getattr(self, "taken", None), None
        if taken is not None:
            self.sweeper.take(taken)


class LockedRelease(Taken):
    """Calls the deleter without giving up the interpreter's lock."""

    CALL = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

    def release(self):
        if self.managed.deleter:
            self.CALL(self.managed.deleter)(self.address)


class CopiedStruct(Taken):
    """Keeps a copy of the struct, and of the original nothing but its address."""

    def read(self):
        self.own = type(self.managed)()
        ctypes.memmove(ctypes.byref(self.own), self.address, ctypes.sizeof(self.own))
        self.managed = self.own
        super().read()


class Unpacked(Taken):
    """Reads the struct as bytes, member by member."""

    def read(self):
        super().read()
        start = self.address + (32 if self.versioned else 0)
        data, kind, number, rank, code, bits, lanes, shape, strides, offset = struct.unpack(
            "=PiiiBBHPPQ".replace("P", "Q"), ctypes.string_at(start, 48)
        )
        if (kind, number, lanes) != (1, 0, 1):
            raise BufferError("not in host memory")
        numbers = f"={rank}q"
        self.shape = struct.unpack(numbers, ctypes.string_at(shape, 8 * rank)) if rank else ()
        self.strides = structs.row_major(self.shape)
        if strides and rank:
            self.strides = struct.unpack(numbers, ctypes.string_at(strides, 8 * rank))
        self.size, self.first = bits // 8, data + offset


def copies_where(condition):
    """An import that copies at once where `condition`, a function of the struct, holds; else it shares."""

    class Some(Import):
        def __init__(self, taken, odd):
            needs_copy = condition(taken)
            if needs_copy and "must share" in odd:
                raise BufferError("such a tensor is copied")
            super().__init__(taken, {**odd, "copies": True} if needs_copy else odd)

    return Some


ROWS = {
    "the capsule is kept": (Adapter(Holds), "Python specification, Implementation: once renamed it is empty"),
    "imports in cycles": (Adapter(InACycle), RELEASED),
    "releases by a finaliser": (Adapter(Finalized), RELEASED),
    "imports that can be closed": (Adapter(Closed), RELEASED),
    "releases by a thread that comes later": (Adapter(Swept), RELEASED),
    "a deleter that is called under the interpreter's lock": (
        Via(LockedRelease),
        "Python specification, Implementation: a deleter works with the lock and without",
    ),
    "a copy of the struct is kept": (Via(CopiedStruct), "dlpack.h, deleter: called with the address that came"),
    "structs are read as bytes": (Via(Unpacked), "dlpack.h, DLTensor: members at places that the ABI lays down"),
    "strided tensors are copied": (Adapter(copies_where(lambda taken: not taken.is_compact())), COPIED),
    "misaligned tensors are copied": (
        Adapter(copies_where(lambda taken: taken.first % 64)),
        "dlpack.h, DLTensor.data: who needs alignment must look, and copy",
    ),
    "read-only tensors are copied": (
        Adapter(copies_where(lambda taken: taken.flags & structs.READ_ONLY)),
        "array API, __dlpack__, Notes: a consumer without read-only arrays may copy",
    ),
    "legacy tensors are copied": (Adapter(copies_where(lambda taken: not taken.versioned)), COPIED),
    "few elements are copied": (Adapter(copies_where(lambda taken: len(list(taken.places())) < 9)), COPIED),
}
