"""Producers with an exchange table, each with one fault: in how it is published, or in one of its functions."""

import ctypes

from dlspec_worker.exchange_api import tables

from exhibits import doubles
from exhibits.double_fixtures import faulty_code, make_offer, native

_DTYPES = {(0, bits, 1): f"int{bits}" for bits in (16, 32, 64)}
_DTYPES |= {(2, 32, 1): "float32", (2, 64, 1): "float64", (1, 8, 1): "uint8"}


class Table:
    """What the functions of the table answer, for one class of arrays."""

    def __init__(self, kind):
        self.kind = kind

    def export(self, array, attached):
        if array.is_odd:
            if self.kind.fault == "exports everything":
                return array.exported()
            raise RuntimeError("no") if self.kind.fault == "runtime error" else BufferError("DLPack has no form for it")
        return array.exported()

    def borrow(self, array, attached):
        if array.is_odd:
            raise BufferError("DLPack has no form for it")
        if array.lent is None:
            array.lent = array.offer("versioned").capsule()
        return array.lent

    def import_(self, capsule, attached):
        return self.kind.imported(capsule)

    def allocate(self, dtype, shape, device, has_set_error, attached):
        if device != (1, 0) or dtype not in _DTYPES or any(extent < 0 for extent in shape):
            raise BufferError("there is no such tensor")
        name, size = _DTYPES[dtype], dtype[1] // 8
        for extent in shape:
            size *= extent
        return self.kind.allocated(name, shape, size)

    def stream(self, device_type, device_id, attached):
        if device_type != 1:
            raise BufferError("there is no such device")


class TableArray(doubles.Array):
    """An array whose type publishes a table that keeps every rule, but for the fault that its class names."""

    is_odd = False
    version, previous, name, destructor = (1, 3), 0, tables.CAPSULE, False

    def __init__(self, order):
        super().__init__(order)
        self.lent = None
        self.taken = None

    def __init_subclass__(cls):
        cls.publish()

    @classmethod
    def publish(cls):
        table = native.api_table(Table(cls), cls.version, cls.previous)
        faulty_code().dlspec_zoo_spoil_table(ctypes.c_void_p(table), cls.fault.encode())
        cls.place = table
        setattr(cls, tables.NAME, native.api_publish(table, cls.name, cls.destructor))

    # What a fault changes.

    def exported(self):
        if self.fault == "table keeps references":
            doubles.KEPT.append(self)
        if self.fault == "other memory":
            return make_offer(self.order, "versioned").capsule()
        if self.fault == "not owned":
            self.lent = self.lent or self.offer("versioned").capsule()
            whole = doubles.Taken(self.lent, rename=False)
            capsule = native.api_wrap(whole.raw()[-48:])
            doubles.Taken(capsule, rename=False).struct.flags = whole.struct.flags
            return capsule
        capsule = self.offer("versioned").capsule()
        if self.fault == "read-only unsaid":
            doubles.Taken(capsule, rename=False).struct.flags = 0
        if self.fault == "table rewritten":
            ctypes.c_uint32.from_address(self.place + 4).value ^= 1  # 1.2 and 1.3 in turns
        return capsule

    @classmethod
    def imported(cls, capsule):
        """An array around the tensor of a capsule."""
        made = cls.__new__(cls)
        made.offers, made.order, made.lent = {}, None, None
        try:
            made.taken = doubles.Import(
                capsule, cls.fault if cls.fault in ("never released", "released twice", "released at once") else ""
            )
        except BufferError:
            if cls.fault == "releases what it refuses":
                doubles.Taken(capsule, rename=False).release()
            raise
        made.held = bytearray(made.taken.bytes)
        if cls.fault == "imports kept":
            doubles.KEPT.append(made)
        return bytes(made.held) if cls.fault == "imports are bytes" else made

    @classmethod
    def allocated(cls, name, shape, size):
        flags = 1 if cls.fault == "allocates read-only" else 0
        if cls.fault == "allocates one row" and shape and size < 1 << 20:
            shape, size = (1, *shape[1:]), size // max(1, shape[0])
        strides = doubles.row_major(shape)
        return native.Offer(
            name, shape, strides=strides, contents=bytes(size), flags=flags, null_data=not size
        ).capsule()


TableArray.publish()


class Lookup(TableArray):
    """Faults in how the table is published."""

    @classmethod
    def publish(cls):
        super().publish()
        changes = {
            "an integer": {tables.NAME: cls.place},
            "of instances": {tables.NAME: property(lambda array: native.api_publish(array.place))},
            "named otherwise": {tables.NAME: native.api_publish(cls.place, "dlpack_api")},
            "with a destructor": {tables.NAME: native.api_publish(cls.place, tables.CAPSULE, True)},
            "older name": {tables.OLD_NAME: cls.place},
            "older name, a capsule": {tables.OLD_NAME: native.api_publish(cls.place)},
            "older name, elsewhere": {tables.OLD_NAME: cls.place + 64},
        }
        for name, value in changes.get(cls.fault, {}).items():
            setattr(cls, name, value)


class OfOldVersion(TableArray):
    version = (1, 0)


class NewestFirst(TableArray):
    """prev_api leads to an older table."""

    previous = native.api_table(None, (1, 2))


class OldestFirst(TableArray):
    """prev_api leads to a table that is no older."""

    previous = native.api_table(None, (1, 3))


class _Odd(TableArray):
    is_odd = True

    def __dlpack__(self, **keywords):
        raise BufferError("DLPack has no form for it")


class Tables(doubles.Producer):
    """The adapter of such arrays, some of which DLPack has no form for."""

    def __init__(self, fault="", base=TableArray):
        super().__init__(fault, base)
        self.odd_kind = type("Odd", (_Odd,), {"fault": self.fault})

    def odd(self, kind, order):
        return self.odd_kind(order)

    def contents(self, array):
        return array.taken.now() if array.taken else super().contents(array)


class NoDevice:
    """An array with a table and __dlpack__, and without __dlpack_device__."""

    is_odd, lent, taken, fault = False, None, None, ""
    shows_exports = True

    def __init__(self, order):
        self.inner = TableArray(order)
        self.order, self.held, self.offers = order, self.inner.held, self.inner.offers

    def offer(self, generation):
        return self.inner.offer(generation)

    def exported(self):
        return self.inner.exported()

    def __dlpack__(self, **keywords):
        return self.inner.__dlpack__(**keywords)

    imported = classmethod(TableArray.imported.__func__)
    allocated = classmethod(TableArray.allocated.__func__)
    __dlpack_c_exchange_api__ = None


class WithDevice(NoDevice):
    def __dlpack_device__(self):
        return (1, 0)


for _kind in (NoDevice, WithDevice):
    setattr(_kind, tables.NAME, native.api_publish(native.api_table(Table(_kind))))


class Published(Tables):
    def __init__(self, fault=""):
        super().__init__(fault, Lookup)


class OldVersion(Tables):
    def __init__(self, fault=""):
        super().__init__(fault, OfOldVersion)


class Older(Tables):
    arrays = NewestFirst

    def __init__(self, fault=""):
        super().__init__(fault, self.arrays)


class NotOlder(Older):
    arrays = OldestFirst


class Clothed(Tables):
    kind_of_arrays = WithDevice

    def __init__(self, fault=""):
        super().__init__(fault)
        self.kind = self.kind_of_arrays


class Bare(Clothed):
    kind_of_arrays = NoDevice


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("exchange.attr-on-type", "producer", "Published:of instances", "Published"),
    ("exchange.attr-name", "producer", "Published:an integer", "Published"),
    ("exchange.capsule-name", "producer", "Published:named otherwise", "Published"),
    ("exchange.capsule-static", "producer", "Published:with a destructor", "Published"),
    ("exchange.attr-legacy-int", "producer", "Published:older name, a capsule", "Published:older name"),
    ("exchange.attr-legacy-int", "producer", "Published:older name, elsewhere", "Published:older name"),
    ("exchange.process-lifetime", "producer", "Tables:table rewritten", "Tables"),
    ("exchange.header-version", "producer", "OldVersion", "Tables"),
    ("exchange.prev-null-or-older", "producer", "NotOlder", "Older"),
    ("exchange.fn-allocator-nonnull", "producer", "Tables:no allocator", "Tables"),
    ("exchange.fn-from-nonnull", "producer", "Tables:no export", "Tables"),
    ("exchange.fn-to-nonnull", "producer", "Tables:no import", "Tables"),
    ("exchange.fn-stream-nonnull", "producer", "Tables:no stream", "Tables:no loan"),
    ("exchange.return-int", "producer", "Tables:fails with 1", "Tables"),
    ("exchange.pyerr-on-failure", "producer", "Tables:fails without exception", "Tables"),
    ("exchange.no-pyerr-on-success", "producer", "Tables:leaves an exception", "Tables"),
    ("exchange.buffererror", "producer", "Tables:runtime error", "Tables"),
    ("exchange.no-cpp-exceptions", "producer", "Tables:throws", "Tables"),
    ("exchange.alloc-seterror-iff", "producer", "Tables:fails silently", "Tables"),
    ("exchange.alloc-seterror-iff", "producer", "Tables:fails silently on ranks", "Tables"),
    ("exchange.alloc-seterror-iff", "producer", "Tables:reports success", "Tables"),
    ("exchange.alloc-seterror-iff", "producer", "Tables:reports twice", "Tables"),
    ("exchange.alloc-seterror-iff", "producer", "Tables:reports without context", "Tables"),
    ("exchange.alloc-prototype-fields", "producer", "Tables:keeps byte_offset", "Tables"),
    ("exchange.alloc-prototype-fields", "producer", "Tables:reads strides", "Tables"),
    ("exchange.alloc-result", "producer", "Tables:allocates read-only", "Tables"),
    ("exchange.alloc-result", "producer", "Tables:allocates one row", "Tables"),
    ("exchange.alloc-result", "producer", "Tables:borrows extents", "Tables"),
    ("exchange.alloc-result", "producer", "Tables:gives small blocks", "Tables"),
    ("exchange.alloc-gil-free", "producer", "Tables:needs the lock", "Tables"),
    ("exchange.from-owning", "producer", "Tables:table keeps references", "Tables"),
    ("exchange.from-owning", "producer", "Tables:gives no tensor", "Tables"),
    ("exchange.from-owning", "producer", "Tables:not owned", "Tables"),
    ("exchange.flags-still-apply", "producer", "Tables:read-only unsaid", "Tables"),
    ("exchange.dltensor-filled", "producer", "Tables:leaves byte_offset", "Tables"),
    ("exchange.dltensor-no-temp-alloc", "producer", "Tables:allocates shapes", "Tables"),
    ("exchange.dltensor-no-temp-alloc", "producer", "Tables:shares one shape", "Tables"),
    ("exchange.to-steals", "producer", "Tables:never released", "Tables"),
    ("exchange.to-steals", "producer", "Tables:released twice", "Tables"),
    ("exchange.to-steals", "producer", "Tables:released at once", "Tables"),
    ("exchange.to-failure-ownership", "producer", "Tables:releases what it refuses", "Tables"),
    ("exchange.to-new-reference", "producer", "Tables:imports kept", "Tables"),
    ("exchange.to-new-reference", "producer", "Tables:imports are bytes", "Tables"),
    ("exchange.stream-cpu", "producer", "Tables:leaves the stream", "Tables"),
    ("exchange.stream-cpu", "producer", "Tables:answers once", "Tables"),
    ("exchange.agrees-with-dunder", "producer", "Tables:other memory", "Tables"),
    ("exchange.agrees-with-dunder", "producer", "Tables:exports everything", "Tables"),
    ("exchange.dunder-also-offered", "producer", "Bare", "Clothed"),
)
