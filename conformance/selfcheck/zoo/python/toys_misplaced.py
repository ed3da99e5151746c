"""Toy producers with one fault each in the form of the struct, or of the arrays that it points to."""

import ctypes
import struct

import toys

KEPT = []  # memory that structs only have the address of


def words(*numbers):
    """An array of 64-bit numbers that stays where it is."""
    array = (ctypes.c_uint64 * len(numbers))(*[number & (1 << 64) - 1 for number in numbers])
    KEPT.append(array)
    return ctypes.addressof(array)


def keep(data):
    array = ctypes.create_string_buffer(data, len(data) + 64)
    KEPT.append(array)
    return ctypes.addressof(array)


class Altered(toys.ToyArray):
    """An export whose struct is changed after it was made."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = toys.Taken(capsule, rename=False)
        self.alter(taken)
        if toys.Taken(capsule, rename=False).deleter != taken.deleter:
            toys.Taken.set_destructor(capsule, None)  # it would call what is no function
        return capsule

    def alter(self, taken):
        """Nothing: a clean twin."""


def set_deleter(capsule, act):
    """Puts `act` in the place of the struct's deleter; it is given the struct's address and the old deleter."""
    taken = toys.Taken(capsule, rename=False)
    release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    old = release(taken.deleter)
    new = release(lambda address: act(address, old))
    KEPT.append((old, new))
    put(taken.address + (16 if taken.versioned else 56), ctypes.cast(new, ctypes.c_void_p).value)
    return capsule


def tensor_at(taken):
    return taken.address + (32 if taken.versioned else 0)


def put(place, *numbers):
    """64-bit words from an address on."""
    (ctypes.c_uint64 * len(numbers)).from_address(place)[:] = [number & (1 << 64) - 1 for number in numbers]


class Moved(toys.ToyArray):
    """A capsule that leads to a struct in other memory, as `lay_out` makes it; the original is never released."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = toys.Taken(capsule, rename=False)
        raw = ctypes.string_at(taken.address, 80 if taken.versioned else 64)
        place = self.lay_out(taken.address, raw, taken.versioned)
        if place == taken.address:
            return capsule
        name = b"dltensor_versioned" if taken.versioned else b"dltensor"
        KEPT.append((capsule, name))
        make = ctypes.PyDLL(None).PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(place, name, None)

    def lay_out(self, address, raw, versioned):
        return address


class TensorInside(Moved):
    """The capsule's pointer is that of the DLTensor inside the managed struct."""

    def lay_out(self, address, raw, versioned):
        return address + 32 if versioned else address


class TensorAlone(Moved):
    """The capsule's pointer is that of a DLTensor that is in no managed struct."""

    def lay_out(self, address, raw, versioned):
        return keep((raw[32:80] if versioned else raw[:48]) + b"\x11" * 16)


class BareForLegacy(TensorAlone):
    def lay_out(self, address, raw, versioned):
        return keep(raw[:48] + b"\x11" * 16) if not versioned else address


class WideDtype(Moved):
    """DLDataType takes twelve bytes: three numbers of 32 bits."""

    def lay_out(self, address, raw, versioned):
        base = 32 if versioned else 0
        code, bits, lanes = struct.unpack_from("<BBH", raw, base + 20)
        dtype = struct.pack("<III", code, bits, lanes)
        return keep(raw[: base + 20] + dtype + raw[base + 24 :])


class PaddedDtype(Moved):
    """DLDataType is followed by four bytes that belong to nobody."""

    def lay_out(self, address, raw, versioned):
        base = 32 if versioned else 0
        return keep(raw[: base + 20] + raw[base + 20 : base + 24] + bytes(8) + raw[base + 24 :])


class WideRank(Moved):
    """ndim is a number of 64 bits."""

    def lay_out(self, address, raw, versioned):
        base = 32 if versioned else 0
        return keep(raw[: base + 20] + bytes(4) + raw[base + 20 : base + 24] + bytes(4) + raw[base + 24 :])


class ContextLast(Altered):
    """manager_ctx and deleter stand in each other's place."""

    def alter(self, taken):
        place = taken.address + (8 if taken.versioned else 48)
        first, second = (ctypes.c_uint64 * 2).from_address(place)[:]
        put(place, second, first or words(7))


class NarrowShape(Altered):
    """The extents are numbers of 32 bits."""

    def alter(self, taken):
        place = keep(struct.pack(f"<{len(self.order.shape)}i", *self.order.shape) + b"\x55" * 64)
        put(tensor_at(taken) + 24, place)


class NarrowStrides(Altered):
    def alter(self, taken):
        strides = self.order.strides or elements_strides(self.order.shape)
        put(tensor_at(taken) + 32, keep(struct.pack(f"<{len(strides)}i", *strides) + b"\x55" * 64))


def elements_strides(shape):
    steps, step = [], 1
    for extent in reversed(shape):
        steps.insert(0, step)
        step *= extent
    return tuple(steps)


class OneStrideShort(Altered):
    """The last stride is not there; what follows is an address."""

    def alter(self, taken):
        strides = self.order.strides or elements_strides(self.order.shape)
        if strides:
            put(tensor_at(taken) + 32, words(*strides[:-1], 0x7F1234567890))


class StridesNowhere(Altered):
    def alter(self, taken):
        put(tensor_at(taken) + 32, 0x1000)


class ShapeNowhere(Altered):
    def alter(self, taken):
        put(tensor_at(taken) + 24, 0x1000)


class DataNowhere(Altered):
    def alter(self, taken):
        put(tensor_at(taken), 0x10000)


class Turned(Altered):
    """A column-major library: the struct has the axes in reversed order."""

    def alter(self, taken):
        for place in (24, 32):
            numbers = (ctypes.c_int64 * len(self.order.shape)).from_address(taken.tensor_field(place))
            numbers[:] = numbers[::-1]
