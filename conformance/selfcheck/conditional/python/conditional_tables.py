"""Arrays with an exchange table whose functions are an exhibit's while a condition holds, and clean ones otherwise."""

import ctypes
import threading
import types
import weakref

import conditional
import predicates
from dlspec_worker.exchange_api import tables
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.facts.structs import DLManagedTensorVersioned, DLTensor
from exhibits import doubles, exchange_producers

ALLOCATES, EXPORTS, IMPORTS, LENDS = range(4)  # as in ../../zoo/plugin/exchange_tables.cc
BEGIN, END = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p), ctypes.CFUNCTYPE(None)
NAMES = {(0, 16, 1): "int16", (2, 32, 1): "float32"}


def order_of(tensor, strides, offset, readonly):
    """What predicates ask of the struct that a function is given."""
    shape = tuple((ctypes.c_int64 * tensor.ndim).from_address(tensor.shape)) if tensor.ndim > 0 else ()
    return types.SimpleNamespace(
        dtype=NAMES.get((tensor.code, tensor.bits, tensor.lanes)),
        bits=tensor.bits * tensor.lanes,
        shape=shape,
        strides=strides or (doubles.row_major(shape) if shape else ()),
        offset=offset,
        readonly=readonly,
    )


def order_of_managed(address):
    whole = DLManagedTensorVersioned.from_address(address)
    if whole.major != NEWEST[0]:
        return None  # what follows is not known
    place, rank = whole.tensor.strides, whole.tensor.ndim
    strides = tuple((ctypes.c_int64 * rank).from_address(place)) if place and rank > 0 else None
    return order_of(whole.tensor, strides, whole.tensor.byte_offset, bool(whole.flags & 1))


class Choosing(type):
    """The metaclass of arrays whose table is faulty only in calls under the condition."""

    @property
    def fault(cls):
        return cls.named if threading.get_ident() in cls.faulty_threads else ""


class Tabled(exchange_producers.TableArray, metaclass=Choosing):
    """named: the fault; holds: the condition; made, refused: what was asked of an array before."""

    named, holds, faulty_threads = "", None, set()
    fault = property(lambda self: type(self).fault)
    made, refused = 0, False
    imports, imported_before, refused_before, allocated_before = (), 0, False, 0

    @classmethod
    def publish(cls):
        if cls.holds is None:
            return
        code = doubles.faulty_code()
        clean, faulty = (doubles.native.api_table(exchange_producers.Table(cls)) for _ in range(2))
        code.dlspec_zoo_spoil_table(ctypes.c_void_p(faulty), cls.named.encode())
        cls.callbacks = BEGIN(cls.begin), END(cls.end)
        code.dlspec_zoo_switch_table(ctypes.c_void_p(clean), ctypes.c_void_p(faulty), *cls.callbacks)
        cls.place = clean
        setattr(cls, tables.NAME, doubles.native.api_publish(clean))

    @classmethod
    def begin(cls, function, given):
        if not cls.holds(cls.moment(function, given)):
            return 0
        conditional.note()
        cls.faulty_threads.add(threading.get_ident())
        return 1

    @classmethod
    def end(cls):
        cls.faulty_threads.discard(threading.get_ident())

    @classmethod
    def moment(cls, function, given):
        if function in (EXPORTS, LENDS):
            array = ctypes.cast(given, ctypes.py_object).value
            found = array.of_export()
            array.made += function == EXPORTS
            return found
        if function == IMPORTS:
            live = sum(each() is not None for each in cls.imports)
            order = order_of_managed(given)
            return predicates.Moment(order, "table", None, cls.imported_before, live, cls.refused_before)
        order = None
        if function == ALLOCATES:
            order = order_of(DLTensor.from_address(given), None, 0, False)
        cls.allocated_before += 1
        return predicates.Moment(order, "table", None, cls.allocated_before - 1)

    def of_export(self):
        live = sum(offer.live_exports for offer in self.offers.values()) - (self.lent is not None)
        order = conditional.array_of(self.order) if self.order else None
        return predicates.Moment(order, "table", None, self.made, live, self.refused)

    def __dlpack__(self, **keywords):
        try:
            capsule = super().__dlpack__(**keywords)
        except BaseException:
            self.refused = True
            raise
        self.made += 1
        return capsule

    @classmethod
    def imported(cls, capsule):
        try:
            made = super().imported(capsule)
        except BufferError:
            cls.refused_before = True
            raise
        cls.imported_before += 1
        if isinstance(made, cls):
            cls.imports = (*(each for each in cls.imports if each() is not None), weakref.ref(made))
        return made


class Producer(exchange_producers.Tables):
    """The adapter of such arrays."""

    def __init__(self, fault, condition):
        super().__init__("", Tabled)
        self.kind.named, self.kind.holds = fault, staticmethod(predicates.find(condition))
        self.kind.publish()


# --- arrays without a table of their own, whose exports are faulty through it alone


class Handler:
    """The functions of a table that exports as __dlpack__ does, and does nothing else."""

    def export(self, array, attached):
        return array.through_table()

    def refuse(self, *given):
        raise BufferError("there is no such tensor")

    borrow = import_ = allocate = stream = refuse


def with_table(kind):
    """The class of arrays with a table."""
    place = doubles.native.api_publish(doubles.native.api_table(Handler()))
    return type("Named", (kind,), {tables.NAME: place})
