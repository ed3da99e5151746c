"""Faults that only guard pages, counts of what is left, threads, or the end of the process show."""

import ctypes
import functools
import threading
import time

from exhibits import doubles
from exhibits.double_fixtures import library

# --- producers


@functools.cache
def _maker():
    make = ctypes.CDLL(library("zoo.so")).dlspec_zoo_deleter
    make.restype = ctypes.c_void_p
    make.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
    return make


def compiled_deleter(capsule, fault):
    """Puts a deleter of the zoo's library into the struct."""
    taken = doubles.Taken(capsule, rename=False)
    taken.struct.deleter = _maker()(fault.encode(), taken.versioned, taken.deleter)
    return capsule


class OddDeleter(doubles.Array):
    """The fault is the name of a deleter of the zoo's library; "": the struct keeps its own."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        return compiled_deleter(capsule, self.fault) if self.fault else capsule


class RaisingDeleter(doubles.Array):
    """A deleter in Python whose exception ctypes can only print."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = doubles.Taken(capsule, rename=False)
        taken.struct.deleter = ctypes.cast(_raising(taken), ctypes.c_void_p).value
        return capsule


_callbacks = {}


def _raising(taken):
    """One callback for each generation: structs of one have the same deleter."""
    if taken.versioned not in _callbacks:
        old = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(taken.deleter)

        def release(address):
            old(address)
            raise ValueError("released, and not content")

        _callbacks[taken.versioned] = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(release)
    return _callbacks[taken.versioned]


class LeavesObjectsElsewhere(doubles.Array):
    """Leaves something behind where another thread releases than the one that exports."""

    callbacks = {}

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = doubles.Taken(capsule, rename=False)
        taken.struct.deleter = ctypes.cast(self.callback(taken), ctypes.c_void_p).value
        return capsule

    def callback(self, taken):
        """One for each generation: structs of one have the same deleter."""
        if taken.versioned not in self.callbacks:
            old, here = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(taken.deleter), threading.get_ident()

            def release(address):
                old(address)
                if threading.get_ident() != here:
                    doubles.KEPT.append(bytearray(8))

            self.callbacks[taken.versioned] = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(release)
        return self.callbacks[taken.versioned]


class LeavesObjects(doubles.Array):
    def __dlpack__(self, **keywords):
        doubles.KEPT.append(bytearray(8))
        return super().__dlpack__(**keywords)


class KeepsUntilItGoes(doubles.Array):
    """What its exports need stays with the array: no leak, for it goes with the array."""

    def __dlpack__(self, **keywords):
        self.needed = getattr(self, "needed", [])
        self.needed.append(bytearray(8))
        return super().__dlpack__(**keywords)


# --- consumers


class Straying(doubles.Consumer):
    """Touches what is not its own."""

    def from_dlpack(self, source, copy=None, device=None):
        array = super().from_dlpack(source, copy, device)
        place = {
            "one byte beyond": lambda: array.place + len(array.bytes),
            "one byte before": lambda: array.place - 1,
            "one extent beyond": lambda: array.taken.tensor.shape + 8 * array.look["ndim"],
        }.get(self.fault)
        if place and array.look["data"]:
            ctypes.string_at(place(), 1)
        return array


class TouchesAfterRelease(doubles.Import):
    """Looks once more at what it has released."""

    def __del__(self):
        if not hasattr(self, "taken"):
            return
        shape = self.taken.tensor.shape
        super().__del__()
        place = {"data read late": self.place, "shape read late": shape, "struct read late": self.taken.address}
        if self.bytes and shape and self.fault in place:
            ctypes.string_at(place[self.fault], 1)


class Locked(doubles.Consumer):
    """One lock around imports and, with the fault, around releases as well."""

    lock = threading.RLock()

    def from_dlpack(self, source, copy=None, device=None):
        with self.lock:
            array = super().from_dlpack(source, copy, device)
        array.lock = self.lock if self.fault else threading.RLock()
        array.__class__ = _ReleasedUnderLock
        return array


class _ReleasedUnderLock(doubles.Import):
    def __del__(self):
        with self.lock:
            super().__del__()


class LetsOthersIn(doubles.Consumer):
    """Lets other threads run between the look at the capsule's name and the renaming."""

    def from_dlpack(self, source, copy=None, device=None):
        if device is not None:
            raise ValueError("there is no such device")
        capsule = self.ask(source, copy)
        before = doubles.native.look(capsule)["name"]
        if not before.startswith("used_"):
            time.sleep(0)
        return _Trusting(capsule, "", before)


class _Trusting(doubles.Import):
    def __init__(self, capsule, fault, name):
        if not name.startswith("used_") and doubles.native.look(capsule)["name"].startswith("used_"):
            doubles.Taken.set_name(capsule, _PLAIN[doubles.native.look(capsule)["name"]])
        super().__init__(capsule, fault)


_PLAIN = {"used_dltensor": b"dltensor", "used_dltensor_versioned": b"dltensor_versioned"}


class OneShelf(doubles.Import):
    """Puts what it is about to release on a shelf that all threads share, and releases what it finds there."""

    shelf = None

    def __del__(self):
        if not hasattr(self, "taken"):
            return
        if self.fault == "one shelf":
            OneShelf.shelf = self.taken
            time.sleep(0)
            OneShelf.shelf.release()
        else:
            super().__del__()


class ForgetsSome(doubles.Consumer):
    """Forgets to release one import in fifty from one source, or one refused import in fifty."""

    count, last = 0, None

    def from_dlpack(self, source, copy=None, device=None):
        ForgetsSome.count = ForgetsSome.count + 1 if source is ForgetsSome.last else 1
        ForgetsSome.last = source
        forgets = ForgetsSome.count % 50 == 0
        if device is not None:
            raise ValueError("there is no such device")
        capsule = self.ask(source, copy)
        if forgets and self.fault == "imports":
            return doubles.Import(capsule, "never released")
        if forgets and self.fault == "refusals" and doubles.native.look(capsule)["dtype"][0] == 200:
            doubles.Taken(capsule)
        return doubles.Import(capsule, "")


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("tensor.element-address", "consumer", "Straying:one byte beyond", "Straying"),
    ("tensor.element-address", "consumer", "Straying:one byte before", "Straying"),
    ("tensor.element-address", "consumer", "Straying:one extent beyond", "Straying"),
    ("managed.no-touch-after-delete", "consumer", "TouchesAfterRelease:data read late", "TouchesAfterRelease"),
    ("managed.no-touch-after-delete", "consumer", "TouchesAfterRelease:shape read late", "TouchesAfterRelease"),
    ("managed.no-touch-after-delete", "consumer", "TouchesAfterRelease:struct read late", "TouchesAfterRelease"),
    ("abi.c-linkage-callbacks", "producer", "OddDeleter:changes registers", "OddDeleter"),
    ("managed.deleter-nothrow", "producer", "OddDeleter:throws", "OddDeleter"),
    ("managed.deleter-nothrow", "producer", "RaisingDeleter", "doubles.Array"),
    ("managed.deleter-frees-self", "producer", "OddDeleter:leaves memory", "OddDeleter"),
    ("managed.owner-balanced", "producer", "LeavesObjectsElsewhere", "doubles.Array"),
    ("managed.deleter-frees-self", "producer", "LeavesObjects", "doubles.Array"),
    ("managed.deleter-after-finalize", "producer", "OddDeleter:needs interpreter", "OddDeleter"),
    ("managed.deleter-noop-safe-gil", "consumer", "Locked:around the release", "Locked"),
    ("managed.deleter-once", "consumer", "OneShelf:one shelf", "OneShelf"),
    ("managed.deleter-once", "consumer", "ForgetsSome:imports", "ForgetsSome"),
    ("managed.error-releases", "consumer", "ForgetsSome:refusals", "ForgetsSome"),
    ("capsule.race", "consumer", "LetsOthersIn", "doubles.Consumer"),
)
