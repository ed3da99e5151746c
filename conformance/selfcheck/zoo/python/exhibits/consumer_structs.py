"""Consumers that misread or write one member of the managed struct."""

import ctypes

from dlspec_worker.facts.structs import DLManagedTensorVersioned

from exhibits import doubles
from exhibits.consumer_dtypes import ExportsItsDtype


# --- flags, and structs without any
class WholeFlags(doubles.Import):
    """Compares all flags, where one bit was meant."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        self.read_only = self.look["flags"] in (None, 1)


class FlagsAnywhere(doubles.Import):
    """Looks for a version before every struct."""

    def check(self, look, capsule):
        super().check(look, capsule)
        taken = doubles.Taken(capsule, rename=False)
        before = taken.address - DLManagedTensorVersioned.tensor.offset
        if not taken.versioned and ctypes.c_uint32.from_address(before).value > 1:
            raise BufferError("another major version")


class OlderRules(doubles.Import):
    """Knows NULL strides of structs that say a version before 1.2, and of no others."""

    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[::-1] if look["strides"] is None and look["version"] is None else data


class RefusesInnerNothing(doubles.Import):
    """Looks for data where an axis between others has no elements."""

    def check(self, look, capsule):
        super().check(look, capsule)
        if 0 in (look["shape"] or ())[1:-1] and look["data"] == 0:
            raise BufferError("no data")


class WritesLegacy(doubles.Import):
    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        self.read_only = self.read_only and self.look["flags"] is not None


# --- the managed struct
class FillsStrides(doubles.Import):
    """Puts strides where there were none."""

    kept = []

    def check(self, look, capsule):
        super().check(look, capsule)
        taken = doubles.Taken(capsule, rename=False)
        if not taken.tensor.strides:
            self.kept.append((ctypes.c_int64 * 8)(*doubles.row_major(look["shape"])))
            taken.tensor.strides = ctypes.addressof(self.kept[-1])


class MarksTheStruct(doubles.Import):
    """Notes in the struct that it is its consumer, just before it releases."""

    def __del__(self):
        if hasattr(self, "taken") and self.taken.versioned:
            self.taken.struct.flags |= 2
        super().__del__()


class WritesLate(doubles.Import):
    """Writes a member of the managed struct after its release. The fault's name is where it stands."""

    def __del__(self):
        super().__del__()
        if self.fault and hasattr(self, "taken") and self.taken.versioned:
            ctypes.c_uint64.from_address(self.taken.address + int(self.fault)).value ^= 1


class NeedsContext(doubles.Import):
    def check(self, look, capsule):
        super().check(look, capsule)
        if not doubles.Taken(capsule, rename=False).struct.manager_ctx:
            raise BufferError("nobody owns this tensor")


class KeepsOrphans(doubles.Import):
    """Takes a NULL context for memory that nobody owns."""

    def __del__(self):
        if hasattr(self, "taken") and self.taken.struct.manager_ctx:
            super().__del__()


class CountsInContext(doubles.Import):
    """Counts its references where the context leads to."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        place = self.taken.struct.manager_ctx
        if place and place % 256 == 0:
            ctypes.c_uint32.from_address(place).value += 1


class PassesCopyOn(ExportsItsDtype):
    """Exports a copy of the struct that it was given, with all that stands in it."""

    api = ctypes.PyDLL(None)
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if not self.taken.versioned or not max_version:
            raise BufferError("does not export")
        return self.api.PyCapsule_New(doubles.keep(self.taken.raw()), b"dltensor_versioned", None)


class NeverAsks(doubles.Consumer):
    """Would take a versioned capsule."""

    def ask(self, source, copy=None):
        if copy is not None:
            raise ValueError("no say on copies")
        return source.__dlpack__()


class LegacyOnly(doubles.Consumer):
    def ask(self, source, copy=None):
        if copy is not None:
            raise ValueError("no say on copies")
        capsule = source.__dlpack__()
        if doubles.native.look(capsule)["name"] != "dltensor":
            raise BufferError("not a capsule of a tensor")
        return capsule


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("version.legacy-has-none", "consumer", "FlagsAnywhere", "doubles.Import"),
    ("version.legacy-has-none", "consumer", "OlderRules", "doubles.Import"),
    ("tensor.data-null-empty-accepted", "consumer", "RefusesInnerNothing", "doubles.Import"),
    ("tensor.metadata-not-mutated", "consumer", "FillsStrides", "doubles.Import"),
    ("tensor.metadata-not-mutated", "consumer", "MarksTheStruct", "doubles.Import"),
    ("managed.ctx-opaque", "consumer", "NeedsContext", "doubles.Import"),
    ("managed.ctx-opaque", "consumer", "KeepsOrphans", "doubles.Import"),
    ("managed.ctx-opaque", "consumer", "CountsInContext", "doubles.Import"),
    ("managed.legacy-deprecated", "consumer", "LegacyOnly", "doubles.Consumer"),
    ("managed.legacy-deprecated", "consumer", "NeverAsks", "doubles.Consumer"),
    ("managed.no-struct-copy-out", "consumer", "PassesCopyOn", "consumer_dtypes.ExportsItsDtype"),
    ("managed.no-touch-after-delete", "consumer", "WritesLate:24", "WritesLate"),
    ("flags.unknown-bits-policy", "consumer", "WholeFlags", "doubles.Import"),
    ("flags.legacy-writability-unknown", "consumer", "WritesLegacy", "doubles.Import"),
)
