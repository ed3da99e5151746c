"""Consumers that overlook what no producer may make, or that lose what is legal and rare."""

import ctypes

from exhibits import doubles
from exhibits.consumer_reexports import Onward


# --- structs that no producer may make
class Credulous(doubles.Import):
    """Clean: refuses a struct for what it does not overlook, and says what it would make of one that it took."""

    overlooked = frozenset()
    guessed = False

    def __init_subclass__(cls, overlooks=None):
        if overlooks:
            cls.overlooked = frozenset({overlooks})

    def check(self, look, capsule):
        violated = {each["rule"] for each in doubles.native.validate(capsule) if each["verdict"] == "fail"}
        if violated and violated <= self.overlooked:
            self.guessed = True
        else:
            super().check(look, capsule)

    def read(self, look, capsule):
        return b"" if self.guessed else super().read(look, capsule)

    def now(self):
        return self.guess() if self.guessed else super().now()

    def guess(self):
        return bytes(48)


class TakesNull(Credulous, overlooks="tensor.data-nonnull-nonempty"):
    """Takes NULL data of a tensor that has elements."""


class TakesNegativeExtents(Credulous, overlooks="tensor.extent-nonnegative"):
    """Takes extents below 0."""


class WrapsCounts(Credulous, overlooks="tensor.numel-no-overflow"):
    """Takes extents whose product wraps around."""


class WrapsStrides(Credulous, overlooks="tensor.strides-no-overflow"):
    """Takes strides that lead beyond 64 bits."""


class TakesNegativeRanks(Credulous, overlooks="tensor.ndim-nonnegative"):
    """Takes a rank below 0."""


class TakesElementsOfNoBits(Credulous, overlooks="dtype.bits-nonzero"):
    """Takes elements of 0 bits."""


class TakesElementsOfNoLanes(Credulous, overlooks="dtype.lanes-positive"):
    """Takes elements of 0 lanes."""


class Hesitant(Credulous):
    """Clean: would show nothing of a struct that it took."""

    def guess(self):
        raise BufferError("not to be read")


class HoldsNull(Hesitant, overlooks="tensor.data-nonnull-nonempty"):
    """Takes NULL data, and shows nothing of it."""


class Reckless(Credulous):
    """Clean: would follow the pointers of a struct that it took."""

    def guess(self):
        return bytes(ctypes.c_uint8.from_address((self.look["data"] or 0) + at).value for at in range(48))


class FollowsNull(Reckless, overlooks="tensor.data-nonnull-nonempty"):
    """Takes NULL data, and reads it."""


class CountsOnTheRank(doubles.Import):
    """Reads as many extents as the rank says."""

    def check(self, look, capsule):
        tensor = doubles.Taken(capsule, rename=False).tensor
        if tensor.ndim == 2**31 - 1:
            ctypes.string_at(tensor.shape, 8 * 1024)
        super().check(look, capsule)


class FollowsNullShape(doubles.Import):
    def check(self, look, capsule):
        tensor = doubles.Taken(capsule, rename=False).tensor
        if tensor.ndim > 0 and not tensor.shape:
            self.rows = ctypes.c_int64.from_address(tensor.shape).value
        super().check(look, capsule)


class AlignsTables(Credulous, overlooks="abi.shape-int64"):
    """Finds other numbers at the multiples of 8 where it looks for shape and strides."""


class OneHost(doubles.Import):
    """Knows no other number of the host than 0, and shows nothing good of it."""

    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[::-1] if look["device"][1] else data


class KeepsWhatIsNegative(doubles.Import):
    """Takes the capsule over before it refuses."""

    def check(self, look, capsule):
        if min(look["shape"] or (0,)) < 0:
            doubles.Taken(capsule)
        super().check(look, capsule)


class ForgetsOtherHosts(doubles.Import):
    def __del__(self):
        if hasattr(self, "taken") and not self.look["device"][1]:
            super().__del__()


class ForgetsWhatItReleased(doubles.Import):
    """Releases twice what has flags that it does not know: a case on flags alone shows it."""

    def __del__(self):
        super().__del__()
        if hasattr(self, "taken") and (self.look["flags"] or 0) > 7:
            self.taken.release()


# --- legal values at the ends of their ranges
class CopiesAreWritable(doubles.Import):
    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        self.read_only = self.read_only and not (self.look["flags"] or 0) & 2


class BareOffsetIgnored(doubles.Import):
    """Adds the offset only where it looks at strides."""

    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[::-1] if look["byte_offset"] and look["strides"] is None else data


class LanesOfAByte(doubles.Import):
    """Reads the lower byte of lanes alone."""

    def read(self, look, capsule):
        data = super().read(look, capsule)
        _, bits, lanes = look["dtype"]
        return data[: len(data) // lanes] if lanes % 256 == 1 else data


class DevicesOfAByte(Credulous):
    """Reads the lower byte of the device type alone."""

    def check(self, look, capsule):
        kind = (look["device"] or (1, 0))[0]
        self.guessed = kind != 1 and kind % 256 == 1
        if not self.guessed:
            super().check(look, capsule)


class TakesOddWidths(Credulous):
    def is_strange(self, code, bits, lanes):
        self.guessed = bits > 8 and bits % 8 != 0
        return code == 3


class TakesHandles(doubles.Import):
    def is_strange(self, code, bits, lanes):
        return bits > 8 and bits % 8 != 0


class SignedMajor(doubles.Consumer):
    """Compares the major version as a signed number."""

    def take(self, capsule):
        version = doubles.native.look(capsule)["version"]
        return doubles.AnyImport() if version and version[0] >= 2**31 else super().take(capsule)


class SignedMinor(doubles.Import):
    """Refuses minor versions that are negative in 32 bits."""

    def check(self, look, capsule):
        if look["version"] and look["version"][1] >= 2**31:
            raise BufferError("a version before this one")
        super().check(look, capsule)


class ReadsAhead(doubles.Import):
    """Reads the dtype before it refuses a foreign major version, and says nothing of it."""

    def check_name(self, look, capsule):
        if look["version"] and look["version"][0] != 1:
            self.code = doubles.Taken(capsule, rename=False).tensor.code
        super().check_name(look, capsule)


class Shaped(Onward):
    """Clean: exports the shape that it says."""

    def extents(self):
        return self.look["shape"]

    def __dlpack__(self, **keywords):
        whole, self.look = self.look, {**self.look, "shape": self.extents()}
        try:
            return super().__dlpack__(**keywords)
        finally:
            self.look = whole


class TurnsAxes(Shaped):
    def extents(self):
        return self.look["shape"][::-1]


class ExtentsOf32Bits(Shaped):
    def extents(self):
        return tuple(extent & 0xFFFFFFFF for extent in self.look["shape"])


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("tensor.data-nonnull-nonempty", "consumer", "TakesNull", "Credulous"),
    ("tensor.data-nonnull-nonempty", "consumer", "HoldsNull", "Hesitant"),
    ("tensor.data-nonnull-nonempty", "consumer", "FollowsNull", "Reckless"),
    ("tensor.extent-nonnegative", "consumer", "TakesNegativeExtents", "Credulous"),
    ("tensor.numel-no-overflow", "consumer", "WrapsCounts", "Credulous"),
    ("tensor.strides-no-overflow", "consumer", "WrapsStrides", "Credulous"),
    ("tensor.ndim-nonnegative", "consumer", "TakesNegativeRanks", "Credulous"),
    ("tensor.ndim-cap-refused", "consumer", "CountsOnTheRank", "doubles.Import"),
    ("tensor.shape-nonnull", "consumer", "FollowsNullShape", "doubles.Import"),
    ("tensor.element-address", "consumer", "OneHost", "doubles.Import"),
    ("tensor.byte-offset-honoured", "consumer", "BareOffsetIgnored", "doubles.Import"),
    ("tensor.row-major-dims", "consumer", "TurnsAxes", "Shaped"),
    ("version.unknown-values-rejected", "consumer", "TakesElementsOfNoBits", "Credulous"),
    ("version.unknown-values-rejected", "consumer", "TakesElementsOfNoLanes", "Credulous"),
    ("version.major-checked-first", "consumer", "ReadsAhead", "doubles.Import"),
    ("version.major-mismatch-release", "consumer", "SignedMajor", "doubles.Consumer"),
    ("version.minor-mismatch-usable", "consumer", "SignedMinor", "doubles.Import"),
    ("abi.shape-int64", "consumer", "AlignsTables", "Credulous"),
    ("abi.shape-int64", "consumer", "ExtentsOf32Bits", "Shaped"),
    ("abi.dtype-4-bytes", "consumer", "LanesOfAByte", "doubles.Import"),
    ("abi.device-type-32bit", "consumer", "DevicesOfAByte", "Credulous"),
    ("dtype.odd-width-refused", "consumer", "TakesOddWidths", "Credulous"),
    ("dtype.opaque-refused", "consumer", "TakesHandles", "doubles.Import"),
    ("managed.error-releases", "consumer", "KeepsWhatIsNegative", "doubles.Import"),
    ("managed.deleter-once", "consumer", "ForgetsOtherHosts", "doubles.Import"),
    ("managed.deleter-once", "consumer", "ForgetsWhatItReleased", "doubles.Import"),
    ("flags.read-only-respected", "consumer", "CopiesAreWritable", "doubles.Import"),
)
