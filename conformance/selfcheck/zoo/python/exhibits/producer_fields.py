"""Producers whose structs have one wrong field each, in everything that they export and that the field exists in."""

import ctypes

from exhibits import doubles


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


class Change:
    """A member of the struct that gets another value, in the orders of which `when` is true.

    `value` may be a function of the old value and the order. `deep`: not the member but the number with this index in
    the array that the member points to. Members of the versioned struct alone stay as they are in legacy ones.
    """

    def __init__(self, member, value, when=always, deep=None):
        self.member, self.value, self.when, self.deep = member, value, when, deep

    def apply(self, taken, order):
        struct = taken.tensor if hasattr(taken.tensor, self.member) else taken.struct
        if not self.when(order) or not hasattr(struct, self.member):
            return
        if self.deep is None:
            setattr(struct, self.member, self.changed(getattr(struct, self.member), order))
        else:
            number = ctypes.c_int64.from_address(getattr(struct, self.member) + 8 * self.deep)
            number.value = self.changed(number.value, order)

    def changed(self, old, order):
        return self.value(old, order) if callable(self.value) else self.value


class Altered(doubles.Array):
    """One of these faults by name."""

    FAULTS = {
        "minor of 1.0": Change("minor", 0, of("float8_e4m3fn", "float8_e5m2", "float4_e2m1fn")),
        "major 2": Change("major", 2),
        "rubbish above the device": Change("device_type", 0x101),
        "shape between numbers": Change("shape", lambda old, order: old + 4, rank),
        "unknown device": Change("device_type", 5),
        "cpu 1": Change("device_id", 1),
        "cpu -1": Change("device_id", -1),
        "data in the first page": Change("data", 3840, filled),
        "unknown dtype": Change("code", 19),
        "no bits": Change("bits", 0, lambda order: not order.dtype.startswith(("complex", "uint1"))),
        "no lanes": Change("lanes", 0),
        "narrow floats": Change("bits", 8, of("float32")),
        "wide bfloats": Change("bits", 32, of("bfloat16")),
        "bool of one bit": Change("bits", 1, of("bool")),
        "float8 of 7 bits": Change("bits", 7, of("float8_e4m3fn")),
        "float4 of 8 bits": Change("bits", 8, of("float4_e2m1fn")),
        "negative rank": Change("ndim", -1),
        "scalar without data": Change("data", 0, lambda order: not rank(order)),
        "null shape": Change("shape", 0, rank),
        "negative extent": Change("shape", -1, rank, deep=0),
        "extent beyond all": Change("shape", 2**63 - 1, lambda order: filled(order) and rank(order) > 1, deep=1),
        "stride beyond all": Change(
            "strides",
            2**62,
            lambda order: filled(order) and order.shape[:1] > (1,) and order.dtype == "float32",
            deep=0,
        ),
        "null data": Change("data", 0, lambda order: rank(order) and filled(order)),
        "read-only without reason": Change("flags", lambda old, order: old | (not old & 2)),
        "read-only forgotten": Change("flags", lambda old, order: old & ~1, lambda order: order.readonly),
        "padded without reason": Change("flags", lambda old, order: old | 4, lambda order: order.dtype == "float32"),
    }

    def answer(self, max_version, copy):
        capsule = super().answer(max_version, copy)
        if self.fault in self.FAULTS:
            self.FAULTS[self.fault].apply(doubles.Taken(capsule, rename=False), self.order)
        return capsule


class NullDeleter(doubles.Array):
    """Its exports need no release, and say so."""

    def fields(self):
        return {"null_deleter": True}


class FlagsCopies(doubles.Array):
    """Calls what it shares a copy."""

    def fields(self):
        return {"flags": 2 | self.order.readonly}


class OneToAByte(doubles.Array):
    """Keeps each four-bit element in a byte of its own, and forgets to say so."""

    def answer(self, max_version, copy):
        capsule = super().answer(max_version, copy)
        taken = doubles.Taken(capsule, rename=False)
        if self.order.dtype == "int4" and taken.versioned and self.order.bytes:
            taken.tensor.data = doubles.keep(doubles.one_to_a_byte(self.order))
        return capsule


class DescriptionRemembered(doubles.Array):
    """A read-only array gets the flags of the writable one of the same description that was exported before it."""

    last = None

    def answer(self, max_version, copy):
        capsule = super().answer(max_version, copy)
        taken, order = doubles.Taken(capsule, rename=False), self.order
        described = (order.dtype, order.shape, order.strides, order.offset)
        if not order.readonly:
            type(self).last = described
        elif type(self).last == described and taken.versioned and not copy:
            taken.struct.flags &= ~1
        return capsule


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("version.truthful-minor", "producer", "Altered:minor of 1.0", "Altered"),
    ("version.major-published", "producer", "Altered:major 2", "Altered"),
    ("abi.device-type-32bit", "producer", "Altered:rubbish above the device", "Altered"),
    ("abi.shape-int64", "producer", "Altered:shape between numbers", "Altered"),
    ("device.type-known", "producer", "Altered:unknown device", "Altered"),
    ("device.id-zero-host", "producer", "Altered:cpu 1", "Altered"),
    ("device.id-nonnegative", "producer", "Altered:cpu -1", "Altered"),
    ("device.cpu-dereferenceable", "producer", "Altered:data in the first page", "Altered"),
    ("dtype.code-known", "producer", "Altered:unknown dtype", "Altered"),
    ("dtype.bits-nonzero", "producer", "Altered:no bits", "Altered"),
    ("dtype.lanes-positive", "producer", "Altered:no lanes", "Altered"),
    ("dtype.float-is-ieee", "producer", "Altered:narrow floats", "Altered"),
    ("dtype.bfloat-width", "producer", "Altered:wide bfloats", "Altered"),
    ("dtype.bool-bits-8", "producer", "Altered:bool of one bit", "Altered"),
    ("dtype.fp8-bits-8", "producer", "Altered:float8 of 7 bits", "Altered"),
    ("dtype.fp4-bits-4", "producer", "Altered:float4 of 8 bits", "Altered"),
    ("tensor.ndim-nonnegative", "producer", "Altered:negative rank", "Altered"),
    ("tensor.ndim0-is-scalar", "producer", "Altered:scalar without data", "Altered"),
    ("tensor.shape-nonnull", "producer", "Altered:null shape", "Altered"),
    ("tensor.extent-nonnegative", "producer", "Altered:negative extent", "Altered"),
    ("tensor.numel-no-overflow", "producer", "Altered:extent beyond all", "Altered"),
    ("tensor.strides-no-overflow", "producer", "Altered:stride beyond all", "Altered"),
    ("tensor.data-nonnull-nonempty", "producer", "Altered:null data", "Altered"),
    ("managed.deleter-null-meaning", "producer", "NullDeleter", "doubles.Array"),
    ("flags.read-only-truthful", "producer", "Altered:read-only without reason", "Altered"),
    ("flags.read-only-set", "producer", "Altered:read-only forgotten", "Altered"),
    ("flags.read-only-set", "producer", "DescriptionRemembered", "doubles.Array"),
    ("flags.is-copied-honest", "producer", "FlagsCopies", "doubles.Array"),
    ("flags.padded-only-subbyte", "producer", "Altered:padded without reason", "Altered"),
    ("flags.padded-set-when-padded", "producer", "OneToAByte", "doubles.Array"),
)
