"""Toy producers whose structs have one wrong field each, in everything that they export and that the field exists in."""

import ctypes

import toys

# Fields by their offset in DLTensor and their type; those of the managed struct by a negative one, from dl_tensor down.
DATA, DEVICE_TYPE, DEVICE_ID, NDIM = (
    (0, ctypes.c_void_p),
    (8, ctypes.c_int32),
    (12, ctypes.c_int32),
    (16, ctypes.c_int32),
)
CODE, BITS, LANES = (20, ctypes.c_uint8), (21, ctypes.c_uint8), (22, ctypes.c_uint16)
SHAPE, STRIDES = (24, ctypes.c_void_p), (32, ctypes.c_void_p)
MAJOR, MINOR, FLAGS = (-32, ctypes.c_uint32), (-28, ctypes.c_uint32), (-8, ctypes.c_uint64)
VERSIONED_ONLY = (MAJOR, MINOR, FLAGS)
KEPT = []  # arrays that structs only have the address of


def rank(order):
    return len(order.shape)


def filled(order):
    return 0 not in order.shape


def always(order):
    return True


def of(*dtypes):
    return lambda order: order.dtype in dtypes


def writable(order):
    return not order.readonly


class Field:
    """A change of a field: what it becomes, in which orders. `deep`: the number that the field points to instead."""

    def __init__(self, field, value, when=always, deep=None):
        self.field, self.value, self.when, self.deep = field, value, when, deep

    def change(self, taken, order):
        versioned_only = self.field in VERSIONED_ONLY
        if not self.when(order) or (versioned_only and not taken.versioned):
            return
        offset, kind = self.field
        place = taken.address + (32 if taken.versioned else 0) + offset
        if self.deep is not None:
            kind, place = ctypes.c_int64, ctypes.c_void_p.from_address(place).value + 8 * self.deep
        field = kind.from_address(place)
        field.value = self.value(field.value, order) if callable(self.value) else self.value


class Altered(toys.ToyArray):
    """One of these faults by name."""

    FAULTS = {
        "minor of 1.0": Field(MINOR, 0, of("float8_e4m3fn", "float8_e5m2", "float4_e2m1fn")),
        "major 2": Field(MAJOR, 2),
        "rubbish above the device": Field(DEVICE_TYPE, 0x101),
        "shape between numbers": Field(SHAPE, lambda old, order: old + 4, rank),
        "unknown device": Field(DEVICE_TYPE, 5),
        "cpu 1": Field(DEVICE_ID, 1),
        "cpu -1": Field(DEVICE_ID, -1),
        "data in the first page": Field(DATA, 256, filled),
        "unknown dtype": Field(CODE, 19),
        "no bits": Field(BITS, 0, lambda order: not order.dtype.startswith("complex")),
        "no lanes": Field(LANES, 0),
        "narrow floats": Field(BITS, 8, of("float32")),
        "wide bfloats": Field(BITS, 32, of("bfloat16")),
        "bool of one bit": Field(BITS, 1, of("bool")),
        "float8 of 7 bits": Field(BITS, 7, of("float8_e4m3fn")),
        "float4 of 8 bits": Field(BITS, 8, of("float4_e2m1fn")),
        "negative rank": Field(NDIM, -1),
        "scalar without data": Field(DATA, 0, lambda order: not rank(order)),
        "null shape": Field(SHAPE, 0, rank),
        "negative extent": Field(SHAPE, -1, rank, deep=0),
        "extent beyond all": Field(SHAPE, 2**63 - 1, lambda order: filled(order) and rank(order) > 1, deep=1),
        "stride beyond all": Field(
            STRIDES, 2**62, lambda order: filled(order) and order.shape[:1] > (1,) and order.dtype == "float32", deep=0
        ),
        "null data": Field(DATA, 0, lambda order: rank(order) and filled(order)),
        "read-only without reason": Field(FLAGS, lambda old, order: old | (not old & 2)),
        "read-only forgotten": Field(FLAGS, lambda old, order: old & ~1, lambda order: order.readonly),
        "padded without reason": Field(FLAGS, lambda old, order: old | 4, lambda order: order.dtype == "float32"),
    }

    def answer(self, max_version, copy):
        capsule = super().answer(max_version, copy)
        if self.fault in self.FAULTS:
            self.FAULTS[self.fault].change(toys.Taken(capsule, rename=False), self.order)
        return capsule


class NullDeleter(toys.ToyArray):
    """Its exports need no release, and say so."""

    def fields(self):
        return {"null_deleter": True}


class FlagsCopies(toys.ToyArray):
    """Calls what it shares a copy."""

    def fields(self):
        return {"flags": 2 | self.order.readonly}


class OneToAByte(toys.ToyArray):
    """Keeps each four-bit element in a byte of its own, and forgets to say so."""

    def answer(self, max_version, copy):
        capsule = super().answer(max_version, copy)
        taken = toys.Taken(capsule, rename=False)
        if self.order.dtype == "int4" and taken.versioned:
            packed = self.order.bytes
            apart = bytes(packed[place // 2] >> (place % 2 * 4) & 15 for place in range(2 * len(packed)))
            KEPT.append(ctypes.create_string_buffer(apart))
            DATA[1].from_address(taken.address + 32).value = ctypes.addressof(KEPT[-1])
        return capsule
