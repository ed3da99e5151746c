"""Consumers that use the exchange table of what they import, each with one fault."""

import ctypes

from dlspec_worker.exchange_api import tables
from dlspec_worker.facts.structs import DLManagedTensorVersioned, DLTensor

from exhibits import doubles
from exhibits.double_fixtures import native


class Refused(Exception):
    """The table's function failed."""


class Lent:
    """An import that only looks at memory which was lent to it."""

    def __init__(self, raw):
        tensor = DLTensor.from_buffer_copy(raw)
        shape = (ctypes.c_int64 * tensor.ndim).from_address(tensor.shape) if tensor.ndim else ()
        count = 1
        for extent in shape:
            count *= extent
        self.place = tensor.data + tensor.byte_offset if count else 0
        self.size = count * (tensor.bits // 8)
        capsule = native.api_wrap(raw)
        self.bytes = native.contents(capsule)
        self.is_compact = not count or ctypes.string_at(self.place, self.size) == self.bytes

    def now(self):
        return ctypes.string_at(self.place, self.size) if self.size and self.is_compact else self.bytes

    def write(self, data):
        raise ValueError("not mine")


class Copied(Lent):
    """An import that has copied what was lent to it."""

    def now(self):
        return self.bytes


class TableConsumer(doubles.Consumer):
    """Looks the table up on the type, compares its version, and stays with __dlpack__ where there is none."""

    first = None

    def from_dlpack(self, source, copy=None, device=None):
        if copy is None and device is None:
            self.check(source)
            table = self.table_of(source)
            if table is not None:
                return self.through(table, source)
            if self.fault == "table wanted" and tables.published(native, source):
                raise Refused("another version")
        return super().from_dlpack(source, copy, device)

    def check(self, source):
        found = tables.Published(native, source, tables.NAME)
        if not found.is_on_type:
            return
        if self.fault == "one minor only" and tables.read(found.address).version[1] > 3:
            raise Refused("a newer version")
        if self.fault == "no base classes" and tables.NAME not in vars(type(source)):
            raise Refused("a table of another type")

    def table_of(self, source):
        found = tables.Published(native, source, tables.NAME)
        if not found.exists or not (found.is_on_type or self.fault == "looks at instances"):
            return None
        if self.fault == "one table for all":
            self.first = self.first or tables.read(found.address)
            return self.first
        return self.known(tables.read(found.address))

    def known(self, table):
        """The table itself or an older one, by its major version."""
        if table.version[0] == 1 or self.fault == "any major":
            return table
        if self.fault == "any older one" and table.previous:
            return tables.read(table.previous)
        return tables.usable(table)

    def through(self, table, source):
        self.allocate(table)
        if self.fault in ("keeps a loan", "copies a loan", "trusts in loans"):
            return self.borrow(table, source)
        function = table.functions[tables.EXPORT]
        if self.fault == "without the lock":
            return self.detached(function, source)
        facts = native.api_export(function, source)
        if facts["status"] != 0 and self.fault == "believes in success":
            ctypes.c_uint64.from_address(0).value += 1  # the tensor that there is not
        if facts["status"] != 0:
            raise facts["error"] or Refused("no exception")
        return doubles.Import(facts["capsule"], "")

    def allocate(self, table):
        """A place for a result, made and released."""
        if self.fault not in ("allocates", "no error function"):
            return
        set_error = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)(lambda *told: None)
        shape = (ctypes.c_int64 * 1)(4)
        prototype = DLTensor(0, 1, 0, 1, 2, 32, 1, ctypes.addressof(shape), 0, 0)
        out = ctypes.c_void_p()
        function = ctypes.PYFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)(table.functions[tables.ALLOCATE])
        given = ctypes.cast(set_error, ctypes.c_void_p) if self.fault == "allocates" else None
        if function(ctypes.addressof(prototype), ctypes.addressof(out), None, given) == 0:
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(DLManagedTensorVersioned.from_address(out.value).deleter)(out.value)

    def borrow(self, table, source):
        function = table.functions[tables.BORROW]
        if not function and self.fault != "trusts in loans":
            return super().from_dlpack(source)
        if not function:
            ctypes.CFUNCTYPE(None)(0)()
        facts = native.api_borrow(function, source, 0)
        if facts["status"] != 0:
            raise facts["error"] or Refused("no exception")
        return Lent(facts["raw"]) if self.fault == "keeps a loan" else Copied(facts["raw"])

    def detached(self, function, source):
        """As ctypes calls what it takes for a function of C."""
        out = ctypes.c_void_p()
        call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(function)
        if call(id(source), ctypes.addressof(out)) != 0:
            raise Refused("no exception")
        capsule = _capsule(out.value)
        return doubles.Import(capsule, "")


_new = ctypes.PyDLL(None).PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def _capsule(address):
    """Of a struct that the caller owns; without a destructor, for it is consumed at once."""
    return _new(address, b"dltensor_versioned", None)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("exchange.header-major-checked", "consumer", "TableConsumer:any major", "TableConsumer"),
    ("exchange.prev-walk", "consumer", "TableConsumer:any older one", "TableConsumer"),
    ("exchange.lookup-on-type", "consumer", "TableConsumer:looks at instances", "TableConsumer"),
    ("exchange.consumer-fallback", "consumer", "TableConsumer:table wanted", "TableConsumer"),
    ("exchange.consumer-fallback", "consumer", "TableConsumer:one minor only", "TableConsumer"),
    ("exchange.consumer-fallback", "consumer", "TableConsumer:no base classes", "TableConsumer"),
    ("exchange.consumer-fallback", "consumer", "TableConsumer:believes in success", "TableConsumer"),
    ("exchange.from-exact-type", "consumer", "TableConsumer:one table for all", "TableConsumer"),
    ("exchange.attached-thread", "consumer", "TableConsumer:without the lock", "TableConsumer"),
    ("exchange.alloc-seterror-nonnull", "consumer", "TableConsumer:no error function", "TableConsumer:allocates"),
    ("exchange.dltensor-borrowed", "consumer", "TableConsumer:keeps a loan", "TableConsumer:copies a loan"),
    ("exchange.fn-dltensor-nullable", "consumer", "TableConsumer:trusts in loans", "TableConsumer:copies a loan"),
)
