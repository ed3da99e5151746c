"""Producers with one fault each in their elements, their dtype, or their packing."""

import struct

from dlspec_worker.facts import elements

from exhibits import doubles


class OtherMemory(doubles.Array):
    """Keeps its elements in memory of its own making, and describes it as if they lay there in C order."""

    shows_exports = False

    def fields(self):
        return {"contents": self.laid()}

    def laid(self):
        return self.order.bytes


class ForeignOrder(OtherMemory):
    def laid(self):
        parts = 2 if "complex" in self.order.dtype else 4 if "x4" in self.order.dtype else 1
        size = elements.bits_of(self.order.dtype) // 8 // parts or 1
        data = self.order.bytes
        return b"".join(data[i : i + size][::-1] for i in range(0, len(data), size))


class Planar(OtherMemory):
    """All real parts, then all imaginary parts."""

    def laid(self):
        return planar(self.order)


def planar(order):
    """The bytes of complex elements, the real parts of all of them first; others as they are."""
    if not order.dtype.startswith("complex"):
        return order.bytes
    size = elements.bits_of(order.dtype) // 16
    parts = [order.bytes[i : i + size] for i in range(0, len(order.bytes), size)]
    return b"".join(parts[::2] + parts[1::2])


class ImaginaryFirst(OtherMemory):
    def laid(self):
        if not self.order.dtype.startswith("complex"):
            return self.order.bytes
        data, size = self.order.bytes, elements.bits_of(self.order.dtype) // 16
        parts = [data[i : i + size] for i in range(0, len(data), size)]
        return b"".join(b + a for a, b in zip(parts[::2], parts[1::2]))


class TrueIsMinusOne(OtherMemory):
    def laid(self):
        data = self.order.bytes
        return bytes(255 if byte else 0 for byte in data) if self.order.dtype == "bool" else data


class HighNibbleFirst(OtherMemory):
    def laid(self):
        bits = elements.bits_of(self.order.dtype)
        if bits >= 8:
            return self.order.bytes
        return elements.pack_from_the_top(elements.split(self.order.bytes, bits, elements.count_of(self.order)), bits)


class IgnoresColumns(doubles.Array):
    """A column-major array goes out with the strides of a row-major one."""

    def fields(self):
        if self.order.strides == (1, 3):
            return {"strides": (4, 1), "contents": elements.in_reversed_axes(self.order)}
        return {}


class IgnoresOverlap(doubles.Array):
    """Takes a sliding window for a compact array."""

    def fields(self):
        if elements.overlaps(self.order):
            return {"contents": self.order.bytes[:8] + self.order.bytes[-8:] * 5}
        return {}


class IgnoresStrides(doubles.Array):
    """Takes every array for a compact one."""

    def fields(self):
        if self.order.strides is None:
            return {}
        plain = doubles.row_major(self.order.shape)
        return {"strides": plain, "contents": self.order.bytes[::-1]}


class HalfComplex(doubles.Array):
    lanes = 1

    def fields(self):
        if not self.order.dtype.startswith("complex"):
            return {}
        return {"bits": elements.bits_of(self.order.dtype) // 2, "lanes": self.lanes}


class PartsAsLanes(HalfComplex):
    lanes = 2


class WideBfloat(doubles.Array):
    def fields(self):
        return {"bits": 32} if self.order.dtype == "bfloat16" else {}


class WiderIntegers(doubles.Array):
    """Has small integers, and hands them out as integers of eight bits."""

    def fields(self):
        if self.order.dtype != "int4":
            return {}
        numbers = elements.split(self.order.bytes, 4, elements.count_of(self.order))
        signed = [number - 16 if number > 7 else number for number in numbers]
        return {"dtype": "int8", "contents": struct.pack(f"<{len(signed)}b", *signed)}


class OneToAByte(doubles.Array):
    """Keeps each four-bit element in a byte of its own, says so in versioned structs, and makes no others."""

    says_so = refuses_legacy = True

    def answer(self, max_version, copy):
        if elements.bits_of(self.order.dtype) != 4:
            return super().answer(max_version, copy)
        if self.refuses_legacy and max_version is None:
            raise BufferError("a legacy struct cannot say that elements are padded")
        capsule = super().answer(max_version, copy)
        taken = doubles.Taken(capsule, rename=False)
        if self.order.bytes:
            taken.tensor.data = doubles.keep(doubles.one_to_a_byte(self.order))
        if taken.versioned and self.says_so:
            taken.struct.flags |= 4
        return capsule


class SilentlyOneToAByte(OneToAByte):
    says_so = False


class OneToAByteForLegacy(OneToAByte):
    refuses_legacy = False


# --- packed views and sizes
class Packed(doubles.Array):
    """Can be sliced along its one axis, and says how many bytes it takes. Views within a byte are refused."""

    begins = 0

    def __getitem__(self, index):
        bits = elements.bits_of(self.order.dtype)
        numbers = elements.split(self.order.bytes, bits, self.order.shape[0])[index]
        order = elements.with_layout(self.order, None)
        order.shape, order.bytes = (len(numbers),), elements.pack(numbers, bits)
        view = type(self)(order)
        view.begins, view.base = index.start, self
        return view

    def __dlpack__(self, **keywords):
        if self.begins % 2:
            return self.out_of_byte(**keywords)
        return super().__dlpack__(**keywords)

    def out_of_byte(self, **keywords):
        raise BufferError("the view begins within a byte")

    @property
    def nbytes(self):
        return len(self.order.bytes)


class RoundsDown(Packed):
    """A view that begins within a byte goes out from the start of that byte."""

    def out_of_byte(self, **keywords):
        self.order.bytes = self.base.order.bytes[: len(self.order.bytes)]
        return doubles.Array.__dlpack__(self, **keywords)


class HalvesABit(Packed):
    """Takes a view of quarters of a byte, or of less, for one that begins on a byte, where its begin is even."""

    def __dlpack__(self, **keywords):
        if self.begins % 2 == 0 and self.begins * elements.bits_of(self.order.dtype) % 8:
            self.order.bytes = self.base.order.bytes[: len(self.order.bytes)]
        return super().__dlpack__(**keywords)


class CopiesViews(Packed):
    def out_of_byte(self, **keywords):
        return doubles.Array.__dlpack__(self, **keywords)


class RoundsEach(Packed):
    @property
    def nbytes(self):
        return elements.count_of(self.order)


class NamesFloat8Wrongly(doubles.Array):
    def fields(self):
        return {"dtype": "float8_e4m3" if self.order.dtype == "float8_e4m3fn" else self.order.dtype}


class KeepsBrainPairs(doubles.Array):
    """Holds pairs of bfloat16 under the name of those of binary16."""

    def fields(self):
        numbers = struct.iter_unpack("=e", self.order.bytes) if self.order.dtype == "complex32" else ()
        pairs = b"".join(struct.pack("<f", number)[2:] for (number,) in numbers)
        return {"contents": pairs or self.order.bytes}


class NamesPairsWrongly(doubles.Array):
    def fields(self):
        return {"dtype": "complex32" if self.order.dtype == "bcomplex32" else self.order.dtype}


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("dtype.complex32-is-fp16-pair", "producer", "NamesPairsWrongly", "doubles.Array"),
    ("dtype.complex32-is-fp16-pair", "producer", "KeepsBrainPairs", "doubles.Array"),
    ("dtype.fp8-variants-distinct", "producer", "NamesFloat8Wrongly", "doubles.Array"),
    ("dtype.complex-interleaved", "producer", "Planar", "OtherMemory"),
    ("dtype.complex-interleaved", "producer", "ImaginaryFirst", "OtherMemory"),
    ("dtype.bool-bytes-0-1", "producer", "TrueIsMinusOne", "OtherMemory"),
    ("dtype.subbyte-packed-default", "producer", "OneToAByteForLegacy", "OneToAByte"),
    ("dtype.subbyte-bit-order", "producer", "HighNibbleFirst", "OtherMemory"),
    ("dtype.subbyte-start-on-byte", "producer", "RoundsDown", "Packed"),
    ("dtype.subbyte-int", "producer", "WiderIntegers", "doubles.Array"),
    ("dtype.native-endian", "producer", "ForeignOrder", "OtherMemory"),
    ("tensor.overlap-read-ok", "producer", "IgnoresOverlap", "doubles.Array"),
    ("tensor.row-major-dims", "producer", "IgnoresColumns", "doubles.Array"),
    ("tensor.size-formula", "producer", "RoundsEach", "Packed"),
)
