"""Producers with one fault each in the form of the struct, or of the arrays that it points to."""

import ctypes
import struct

from dlspec_worker.facts.structs import DLTensor

from exhibits import doubles


def words(*numbers):
    """An array of 64-bit numbers that stays where it is."""
    array = (ctypes.c_uint64 * len(numbers))(*[number & (1 << 64) - 1 for number in numbers])
    doubles.KEPT.append(array)
    return ctypes.addressof(array)


class Altered(doubles.Array):
    """An export whose struct is changed after it was made."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = doubles.Taken(capsule, rename=False)
        self.alter(taken)
        if doubles.Taken(capsule, rename=False).deleter != taken.deleter:
            doubles.Taken.set_destructor(capsule, None)  # it would call what is no function
        return capsule

    def alter(self, taken):
        """Nothing: a clean twin."""


class Moved(doubles.Array):
    """A capsule that leads to a struct in other memory, as `lay_out` makes it; the original is never released."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = doubles.Taken(capsule, rename=False)
        place = self.lay_out(taken)
        if place == taken.address:
            return capsule
        name = b"dltensor_versioned" if taken.versioned else b"dltensor"
        doubles.KEPT.append((capsule, name))
        make = ctypes.PyDLL(None).PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(place, name, None)

    def lay_out(self, taken):
        return taken.address


def around_dtype(taken):
    """The bytes of a managed struct: before DLDataType, its four, and after it."""
    raw, at = taken.raw(), taken.kind.tensor.offset + DLTensor.code.offset
    return raw[:at], raw[at : at + 4], raw[at + 4 :]


class TensorInside(Moved):
    """The capsule's pointer is that of the DLTensor inside the managed struct."""

    def lay_out(self, taken):
        return taken.address + taken.kind.tensor.offset


class TensorAlone(Moved):
    """The capsule's pointer is that of a DLTensor that is in no managed struct."""

    def lay_out(self, taken):
        return doubles.keep(bytes(taken.tensor) + b"\x11" * 16)


class BareForLegacy(TensorAlone):
    def lay_out(self, taken):
        return taken.address if taken.versioned else super().lay_out(taken)


class WideDtype(Moved):
    """DLDataType takes twelve bytes: three numbers of 32 bits."""

    def lay_out(self, taken):
        before, dtype, after = around_dtype(taken)
        return doubles.keep(before + struct.pack("<III", *struct.unpack("<BBH", dtype)) + after)


class PaddedDtype(Moved):
    """DLDataType is followed by eight bytes that belong to nobody."""

    def lay_out(self, taken):
        before, dtype, after = around_dtype(taken)
        return doubles.keep(before + dtype + bytes(8) + after)


class WideRank(Moved):
    """ndim is a number of 64 bits, so that four bytes of padding precede the next pointer."""

    def lay_out(self, taken):
        before, dtype, after = around_dtype(taken)
        return doubles.keep(before + bytes(4) + dtype + bytes(4) + after)


class ContextLast(Altered):
    """manager_ctx and deleter stand in each other's place."""

    def alter(self, taken):
        struct = taken.struct
        struct.manager_ctx, struct.deleter = struct.deleter, struct.manager_ctx or words(7)


def narrowed(numbers):
    """The address of these numbers in 32 bits each, with others behind them."""
    return doubles.keep(struct.pack(f"<{len(numbers)}i", *numbers) + b"\x55" * 64)


class NarrowShape(Altered):
    """The extents are numbers of 32 bits."""

    def alter(self, taken):
        taken.tensor.shape = narrowed(self.order.shape)


class NarrowStrides(Altered):
    def alter(self, taken):
        strides = self.order.strides or doubles.row_major(self.order.shape)
        taken.tensor.strides = narrowed(strides)


class OneStrideShort(Altered):
    """The last stride is not there; what follows is an address."""

    def alter(self, taken):
        strides = self.order.strides or doubles.row_major(self.order.shape)
        if strides:
            taken.tensor.strides = words(*strides[:-1], 0x7F1234567890)


class StridesNowhere(Altered):
    def alter(self, taken):
        taken.tensor.strides = 0x1000


class ShapeNowhere(Altered):
    def alter(self, taken):
        taken.tensor.shape = 0x1000


class DataNowhere(Altered):
    def alter(self, taken):
        taken.tensor.data = 0x10000


class Turned(Altered):
    """A column-major library: the struct has the axes in reversed order."""

    def alter(self, taken):
        for place in (taken.tensor.shape, taken.tensor.strides):
            numbers = (ctypes.c_int64 * len(self.order.shape)).from_address(place)
            numbers[:] = numbers[::-1]


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("abi.dtype-4-bytes", "producer", "WideDtype", "Moved"),
    ("abi.dtype-4-bytes", "producer", "PaddedDtype", "Moved"),
    ("tensor.strides-length", "producer", "OneStrideShort", "Altered"),
    ("tensor.row-major-dims", "producer", "Turned", "Altered"),
    ("capsule.pointer-type", "producer", "TensorInside", "Moved"),
    ("capsule.pointer-type", "producer", "TensorAlone", "Moved"),
)
