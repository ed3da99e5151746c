"""Consumers that misread one dtype, or export an import again under another."""

import ctypes
import struct

from exhibits import doubles


# --- dtypes
class ExportsItsDtype(doubles.Import):
    """Clean: exports an import again under the dtype that it came with."""

    def exported_name(self, name):
        return name

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        name = self.exported_name(self.look["dtype_name"])
        return doubles.native.Offer(name, self.look["shape"], self.look["strides"], contents=self.bytes).capsule()


class IgnoresLanes(doubles.Import):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[: len(data) // look["dtype"][2]]


class LanesAsAxis(doubles.Import):
    """Clean: each lane is an element of one more axis."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        shape = self.look["shape"]
        if self.look["dtype"][2] > 1:
            shape = (*shape, self.look["dtype"][2])
        if self.look["dtype"][1] < 8:
            raise BufferError("does not export")
        name = self.look["dtype_name"].partition("x")[0]
        return doubles.native.Offer(name, shape, doubles.row_major(shape), contents=self.bytes).capsule()


class OneByteBooleans(doubles.Import):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        return ctypes.string_at(self.place, 8) if look["dtype"][0] == 6 and look["dtype"][1] != 8 else data


class NeverPadded(doubles.Import):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        padded = look["dtype"][1] == 4 and (look["flags"] or 0) & 4
        return ctypes.string_at(self.place, len(data)) if padded else data


class AlwaysPadded(doubles.Import):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        compact = look["strides"] in (None, doubles.row_major(look["shape"]))
        if look["dtype"][1] != 4 or not compact:
            return data
        apart = ctypes.string_at(self.place, 2 * len(data))
        return bytes(low & 15 | high << 4 & 255 for low, high in zip(apart[::2], apart[1::2]))


class OneFloat8(ExportsItsDtype):
    def exported_name(self, name):
        return "float8_e4m3" if name == "float8_e4m3fn" else name


class BrainPairs(ExportsItsDtype):
    def exported_name(self, name):
        return "bcomplex32" if name == "complex32" else name


class HalfValues(doubles.Import):
    """Clean: says values, which are made of two of binary16."""

    def __getitem__(self, index):
        return complex(*struct.unpack("=2e", self.bytes[:4]))


class BrainValues(HalfValues):
    def __getitem__(self, index):
        return complex(*(struct.unpack("<f", b"\0\0" + self.bytes[at : at + 2])[0] for at in (0, 2)))


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("dtype.lanes-unsupported-rejected", "consumer", "IgnoresLanes", "doubles.Import"),
    ("dtype.complex32-is-fp16-pair", "consumer", "BrainPairs", "ExportsItsDtype"),
    ("dtype.complex32-is-fp16-pair", "consumer", "BrainValues", "HalfValues"),
    ("dtype.bool-other-bits-rejected", "consumer", "OneByteBooleans", "doubles.Import"),
    ("dtype.fp8-variants-distinct", "consumer", "OneFloat8", "ExportsItsDtype"),
    ("flags.padded-checked", "consumer", "NeverPadded", "doubles.Import"),
    ("flags.padded-checked", "consumer", "AlwaysPadded", "doubles.Import"),
)
