"""Consumers that misread or write one place in memory, or that look into memory of a foreign device."""

import ctypes

from exhibits import doubles

OPENCL, EXTENSION, HANDLES = 4, 12, (4, 7, 8, 15)


# --- devices
class Elsewhere(doubles.Import):
    """Takes tensors of some devices without looking further."""

    kinds = ()

    def read(self, look, capsule):
        if look["device"][0] not in self.kinds:
            return super().read(look, capsule)
        self.foreign = True
        return b""

    def check(self, look, capsule):
        if look["device"][0] not in self.kinds:
            super().check(look, capsule)

    def now(self):
        if hasattr(self, "foreign"):
            raise BufferError("not in the memory of this process")
        return super().now()


class Dereferences(Elsewhere):
    def now(self):
        return ctypes.string_at(self.place, 48) if hasattr(self, "foreign") else super().now()


class ReadsExtensions(Dereferences):
    kinds = (EXTENSION,)


class ReadsHandles(Dereferences):
    kinds = (OPENCL,)


class ReadsKnownDevices(Dereferences):
    kinds = (EXTENSION, OPENCL)


class ReadsAnything(Dereferences):
    kinds = range(100)


class HoldsHandles(Elsewhere):
    """Clean: takes handles, and passes them on as they are."""

    kinds = HANDLES

    def handle(self):
        return self.look["data"], self.look["byte_offset"]

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if not hasattr(self, "foreign"):
            raise BufferError("does not export")
        data, offset = self.handle()
        capsule = doubles.native.Offer("float32", (1,), (1,), offset, b"\0" * 4, device=self.look["device"]).capsule()
        doubles.Taken(capsule, rename=False).tensor.data = data
        return capsule


class AddsToHandles(HoldsHandles):
    def handle(self):
        return self.place, 0


class HoldsAnything(Elsewhere):
    kinds = range(100)


class RuntimeErrors(doubles.Consumer):
    def from_dlpack(self, source, copy=None, device=None):
        if source.__dlpack_device__()[0] not in (1, 99):
            raise RuntimeError("not on the host")
        return super().from_dlpack(source, copy, device)


# --- places
class Rounds(doubles.Import):
    """Reads compact arrays from a place that it has rounded."""

    def rounded(self, look):
        return self.place

    def read(self, look, capsule):
        data = super().read(look, capsule)
        compact = look["strides"] == doubles.row_major(look["shape"]) and look["dtype"][:2] in ((2, 32), (2, 64))
        return ctypes.string_at(self.rounded(look), len(data)) if compact else data


class AlignsData(Rounds):
    def rounded(self, look):
        return (look["data"] & ~63) + look["byte_offset"]


class AlignsPlaces(Rounds):
    def rounded(self, look):
        return self.place & ~3


class WholeElements(Rounds):
    def rounded(self, look):
        return look["data"] + look["byte_offset"] // 4 * 4


class WritesUnguarded(doubles.Import):
    """Writes elements that share places as if they were compact, beyond the last one."""

    def write_shared(self, data):
        ctypes.memmove(self.place, data, len(data))


class WritesHalves(doubles.Import):
    """Stays within the memory, but leaves nothing whole where places are shared."""

    def write_shared(self, data):
        ctypes.memset(self.place, 7, 16)


class Part:
    """Some elements of an import."""

    def __init__(self, parent, place, size):
        self.parent, self.place, self.size = parent, place, size

    def now(self):
        return ctypes.string_at(self.place, self.size)


class Sliced(doubles.Import):
    """Clean: views keep the import alive, and are written as if their source were read first."""

    def part(self, place, size):
        return Part(self, place, size)

    def __getitem__(self, index):
        if not isinstance(index, slice):
            raise TypeError("slices only")
        step = len(self.bytes) // self.look["shape"][0]
        first, last, _ = index.indices(self.look["shape"][0])
        return self.part(self.place + first * step, (last - first) * step)

    def __setitem__(self, index, part):
        ctypes.memmove(self[index].place, part.place, part.size)


class SlicedAlone(Sliced):
    def part(self, place, size):
        return Part(None, place, size)


class WritablePart(Part):
    def write(self, data):
        ctypes.memmove(self.place, data, self.size)


class ForgetsInParts(Sliced):
    """Knows of the import whether it may be written, and not of its parts."""

    def part(self, place, size):
        return WritablePart(self, place, size)


class Smears(Sliced):
    def __setitem__(self, index, part):
        target = self[index].place
        for at in range(0, part.size, 4):
            ctypes.memmove(target + at, part.place + at, 4)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("device.opaque-no-arithmetic", "consumer", "ReadsHandles", "Dereferences"),
    ("device.opaque-no-arithmetic", "consumer", "AddsToHandles", "HoldsHandles"),
    ("device.extdev-private", "consumer", "ReadsExtensions", "Dereferences"),
    ("device.unsupported-buffererror", "consumer", "RuntimeErrors", "doubles.Consumer"),
    ("tensor.overlap-write-guard", "consumer", "WritesUnguarded", "doubles.Import"),
    ("tensor.overlap-write-guard", "consumer", "Smears", "Sliced"),
    ("tensor.byte-offset-unaligned", "consumer", "WholeElements", "doubles.Import"),
    ("tensor.data-alignment-not-assumed", "consumer", "AlignsData", "doubles.Import"),
    ("flags.read-only-respected", "consumer", "ForgetsInParts", "Sliced"),
    ("managed.keep-all-in-slice", "consumer", "SlicedAlone", "Sliced"),
)
