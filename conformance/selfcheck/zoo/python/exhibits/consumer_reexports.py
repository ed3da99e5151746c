"""Consumers with one fault each in what an import says when it is exported again, measured, or of a high rank."""

import ctypes
import struct

from dlspec_worker.facts import elements

from exhibits import doubles


class Onward(doubles.Import):
    """An import that is exported again as it came: same memory, same description."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        look = self.look
        strides = look["strides"] if look["strides"] is not None else elements.row_major(look["shape"])
        flags = (look["flags"] or 0) & 1
        self.made = doubles.native.Offer(
            look["dtype_name"], look["shape"], strides=strides, contents=self.bytes, flags=flags
        )
        capsule = self.made.capsule()
        doubles.Taken(capsule, rename=False).tensor.data = self.first()
        return capsule

    def first(self):
        return self.place

    @property
    def nbytes(self):
        return len(self.bytes)


class ForgetsOffset(Onward):
    def first(self):
        return self.look["data"]


class Narrows(Onward):
    """What came in as float64 goes out as float32."""

    def __dlpack__(self, **keywords):
        if self.look["dtype_name"] != "float64":
            return super().__dlpack__(**keywords)
        half = struct.pack(f"<{len(self.bytes) // 8}f", *struct.unpack(f"<{len(self.bytes) // 8}d", self.bytes))
        self.made = doubles.native.Offer("float32", self.look["shape"], strides=self.look["strides"], contents=half)
        return self.made.capsule()


class RoundsEach(Onward):
    @property
    def nbytes(self):
        count = 1
        for extent in self.look["shape"]:
            count *= extent
        return count * -(-elements.bits_of(self.look["dtype_name"]) // 8)


class CutsAxes(Onward):
    """Has room for eight axes, and forgets the others."""

    def read(self, look, capsule):
        self.shape = (look["shape"] or (3, 4))[:8]
        if look["ndim"] <= 8:
            return super().read(look, capsule)
        return ctypes.string_at(self.place, 48)


class Picky(doubles.Import):
    """Knows no integers of four bits, and says so by a TypeError."""

    def check(self, look, capsule):
        if look["dtype_name"] == "int4":
            raise TypeError("no such dtype")
        super().check(look, capsule)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("dtype.roundtrip", "consumer", "Narrows", "Onward"),
    ("dtype.unsupported-buffererror", "consumer", "Picky", "doubles.Import"),
    ("tensor.byte-offset-roundtrip", "consumer", "ForgetsOffset", "Onward"),
    ("tensor.size-formula", "consumer", "RoundsEach", "Onward"),
    ("tensor.ndim-cap-refused", "consumer", "CutsAxes", "Onward"),
)
