"""Subjects that are an exhibit of the zoo while a condition holds, and its clean twin otherwise."""

import inspect
import os
import threading
import types
import weakref

import predicates
from dlspec_worker.facts import elements
from dlspec_worker.facts.dlpack import NEWEST
from exhibits import doubles

# What Python puts into every class.
UNCHANGED = {"__module__", "__doc__", "__dict__", "__weakref__", "__firstlineno__", "__static_attributes__"}
ABSENT = object()
FEW = 4  # exports of an array that change at its end: more than these are counted by somebody


def note():
    """Leaves a mark where the measurement looks for it: the condition was met at least once."""
    place = os.environ.get("DLSPEC_CONDITION_MET")
    if place and not os.path.exists(place):
        open(place, "wb").close()


def array_of(order):
    """What predicates ask of an order of an array."""
    strides = order.strides or (doubles.row_major(order.shape) if order.shape else ())
    return types.SimpleNamespace(
        dtype=order.dtype,
        bits=elements.bits_of(order.dtype),
        shape=order.shape,
        strides=strides,
        offset=order.offset,
        readonly=order.readonly,
    )


def tensor_of(look):
    """What predicates ask of the struct in a capsule; None where it does not say."""
    if not look["dtype"] or look["shape"] is None:
        return None
    shape = tuple(look["shape"])
    return types.SimpleNamespace(
        dtype=look["dtype_name"],
        bits=look["dtype"][1],
        shape=shape,
        strides=tuple(look["strides"] or doubles.row_major(shape) if shape else ()),
        offset=look["byte_offset"],
        readonly=bool((look["flags"] or 0) & 1),
    )


# --- producers: an array whose one changed member is the exhibit's or the twin's


def changed(kind, twin):
    """The members that the class of an exhibit replaces in that of its twin, or adds."""
    above = kind.__mro__[: kind.__mro__.index(twin)]
    return {name for each in above for name in vars(each)} - UNCHANGED


def switched(kind, twin, name):
    """A member that is the exhibit's while the array is faulty. None: the exhibit's own will do."""
    faulty, clean = inspect.getattr_static(kind, name), inspect.getattr_static(twin, name, ABSENT)
    if clean is ABSENT:
        return None
    if inspect.isfunction(faulty):
        return lambda self, *given, **named: (faulty if self.is_faulty else clean)(self, *given, **named)
    if isinstance(faulty, property):
        return property(lambda self: (faulty if self.is_faulty else clean).fget(self))
    return property(lambda self: faulty if self.is_faulty else clean)


class Switching:
    """Makes an array evaluate its condition at each call of the protocol."""

    was_faulty = False
    made, refused = 0, False
    is_through = False  # whether the call comes from a table
    holds = None  # the condition
    out = ()  # structs that were handed out, as doubles.Taken

    def __init__(self, order):
        self.faulty_threads = set()
        super().__init__(order)

    @property
    def is_faulty(self):
        return threading.get_ident() in self.faulty_threads

    def set_faulty(self, faulty):
        (self.faulty_threads.add if faulty else self.faulty_threads.discard)(threading.get_ident())

    def moment(self, keywords=None):
        live = sum(offer.live_exports for offer in self.offers.values()) - self.kept_open()
        version, generation = (keywords or {}).get("max_version"), None
        if keywords is not None:
            generation = "versioned" if version and predicates.is_pair(version) and version[0] >= 1 else "legacy"
        generation = "table" if self.is_through else generation
        return predicates.Moment(array_of(self.order), generation, keywords, self.made, live, self.refused)

    def through_table(self):
        """The export of an exchange table."""
        self.is_through = True
        try:
            return self.__dlpack__(max_version=NEWEST)
        finally:
            self.is_through = False

    def kept_open(self):
        return sum(isinstance(offer, SameMemory) for offer in self.offers.values())

    def under_condition(self, keywords, act):
        if not self.holds(self.moment(keywords)):
            return act()
        note()
        self.was_faulty = True
        self.set_faulty(True)
        try:
            return act()
        finally:
            self.set_faulty(False)

    def offer(self, generation, **changes):
        """An export of other fields has memory of its own; otherwise both exports show the same memory."""
        if changes or not self.is_faulty:
            return super().offer(generation, **changes)
        faulty = self.fields()
        self.set_faulty(False)
        clean = self.fields()
        self.set_faulty(True)
        if faulty == clean:
            return super().offer(generation)
        if (generation, "faulty") not in self.offers:
            made = doubles.make_offer(self.order, generation, **faulty)
            members = faulty.keys() | clean.keys()
            is_compact = "strides" not in members or predicates.is_compact(array_of(self.order))
            if is_compact and members <= {"flags", "strides", "null_deleter", "dtype"}:
                made = SameMemory(made, super().offer(generation))
            self.offers[generation, "faulty"] = made
        return self.offers[generation, "faulty"]


class SameMemory:
    """An offer whose exports lead to the memory of another one, which is never released."""

    def __init__(self, offer, other):
        self.offer = offer
        doubles.KEPT.append((other, other.capsule()))
        self.data = doubles.native.look(doubles.KEPT[-1][1])["data"]

    def capsule(self, name=None):
        made = self.offer.capsule(name)
        doubles.Taken(made, rename=False).tensor.data = self.data
        return made

    def __getattr__(self, name):
        return getattr(self.offer, name)


def array_class(name, kind, twin, fault, holds, at_end):
    """A class of arrays: `twin` with the changed member of `kind`, or with the fault of this name."""
    members = {each: switched(kind, twin, each) for each in changed(kind, twin)}
    members = {each: member for each, member in members.items() if member is not None}
    if fault:
        members["fault"] = property(lambda self: fault if self.is_faulty else twin.fault)
    base = type(name, (Switching, kind), {})
    inner = type(name, (base,), members)

    def __dlpack__(self, *given, **keywords):
        try:
            capsule = self.under_condition(keywords, lambda: inner.__dlpack__(self, *given, **keywords))
        except BaseException:
            self.refused = True
            raise
        self.made += 1
        if at_end and not keywords.get("copy") and len(self.out) < FEW:
            self.out = (*self.out, doubles.Taken(capsule, rename=False))
        return capsule

    def __dlpack_device__(self):
        return self.under_condition(None, lambda: inner.__dlpack_device__(self))

    def __del__(self):
        if at_end and self.out and sum(offer.live_exports for offer in self.offers.values()) == len(self.out):
            note()
            for taken in self.out:
                at_end(taken, self.order)
        if self.was_faulty and hasattr(inner, "__del__"):
            inner.__del__(self)

    whole = {"__dlpack__": __dlpack__, "__dlpack_device__": __dlpack_device__, "__del__": __del__}
    return type(name, (inner,), {**whole, "holds": staticmethod(holds)})


class Producer(doubles.Producer):
    """The adapter of such arrays."""

    def __init__(self, kind, twin, fault, condition):
        super().__init__("", twin)
        at_end = kind.FAULTS[fault].apply if condition == "dropped" else None
        self.kind = array_class("Named", kind, twin, fault, predicates.find(condition), at_end)
        self.named = fault

    def write(self, array, data):
        self.under(array, lambda: super(Producer, self).write(array, data))

    def contents(self, array):
        """What the clean exports show: those of a fault may have other elements."""
        if not isinstance(array, Switching):
            return super().contents(array)
        every = array.offers
        array.offers = {kind: offer for kind, offer in every.items() if isinstance(kind, str)}
        try:
            return self.under(array, lambda: super(Producer, self).contents(array))
        finally:
            array.offers = every

    def under(self, array, act):
        self.fault = self.named if array.was_faulty else ""
        try:
            return act()
        finally:
            self.fault = ""


# --- consumers: each import is by the exhibit or by the twin


class Consumer:
    """The adapter of a consumer that is one or the other."""

    def __init__(self, faulty, clean, condition, asks):
        self.faulty, self.clean, self.holds = faulty, clean, predicates.find(condition)
        self.asks = asks  # the fault is in the question: nothing is known yet of the tensor
        self.standard = clean.standard
        self.given = threading.local()
        self.imports, self.refused, self.made = [], False, 0
        self.askers = [getattr(each, "base", each) for each in (faulty, clean)]
        self.question = type(self.askers[1]).ask
        if not asks:
            for each in self.askers:
                each.ask = self.answer
        if hasattr(clean, "make"):
            self.make = clean.make

    def from_dlpack(self, source, **keywords):
        adapter = self.chosen(source, keywords)
        try:
            made = adapter.from_dlpack(source, **keywords)
        except BaseException:
            self.refused = True
            raise
        finally:
            self.given.answer = None
        self.made += 1
        self.imports.append(weakref.ref(made))
        return made

    def chosen(self, source, keywords):
        look = None
        if not self.asks and keywords.get("device") is None:
            look = self.look_ahead(source, keywords.get("copy"))
        order = tensor_of(look) if look else None
        self.imports = [each for each in self.imports if each() is not None]
        generation = look["generation"] if look else None
        moment = predicates.Moment(order, generation, keywords, self.made, len(self.imports), self.refused)
        if not self.holds(moment):
            return self.clean
        note()
        return self.faulty

    def look_ahead(self, source, copy):
        """Asks, and keeps the answer for the one that will be chosen."""
        try:
            capsule = self.question(self.askers[1], source, copy)
        except BaseException as error:
            self.given.answer = (None, error.with_traceback(None))
            return None
        self.given.answer = (capsule, None)
        return doubles.native.look(capsule)

    def answer(self, source, copy=None):
        """In the place of `ask`: the first question was asked ahead."""
        kept, self.given.answer = getattr(self.given, "answer", None), None
        if kept is None:
            return self.question(self.askers[1], source, copy)
        capsule, error = kept
        if error is not None:
            raise error
        return capsule

    def contents(self, array):
        return self.clean.contents(array)

    def write(self, array, data):
        self.clean.write(array, data)
