"""The arrays that sequences are made of: what is ordered, other elements for it, and fresh arrays for comparison."""

import gc
import sys
import types

from dlspec_worker.exports import structs
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.subject import own as own_subject
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.case import order_of

TURNS = 7
REQUESTS = {
    "versioned": {"max_version": NEWEST},
    "legacy": {},
    "copy": {"max_version": NEWEST, "copy": True},
    "nocopy": {"max_version": NEWEST, "copy": False},
}


class Orders:
    """By layout and dtype; where a library cannot make one, the next that it can."""

    def __init__(self, specs):
        self._turned = {tuple(name.split(" ")): _turned(order_of(spec)) for name, spec in specs.items()}
        self._impossible = set()

    def find(self, layout, dtype, turn):
        """The order with elements in another succession at every turn, or None where nothing can be made."""
        for key in ((layout, dtype), ("c", dtype), (layout, "float32"), ("c", "float32"), ("c", "uint8")):
            if key in self._turned and key not in self._impossible:
                return self._turned[key][turn % len(self._turned[key])]
        return None

    def cannot(self, layout, dtype):
        for key in ((layout, dtype), ("c", dtype), (layout, "float32"), ("c", "float32"), ("c", "uint8")):
            if key in self._turned and key not in self._impossible:
                self._impossible.add(key)
                return


def _turned(order):
    """The order with its elements in a few other successions; one element has no other."""
    count = 1
    for extent in order.shape:
        count *= extent
    width = len(order.bytes) // count if count else 0
    all_ = []
    for turn in range(min(TURNS, max(count, 1))):
        shift = turn * width
        data = order.bytes[shift:] + order.bytes[:shift]
        all_.append(types.SimpleNamespace(**{**vars(order), "bytes": data, "width": width}))
    return all_


def own(native, order):
    return own_subject.tensor(native, order)


def others(holder, number):
    """Rows of other elements than the holder shows: its own, turned, and so valid for its dtype."""
    data, width = holder.expected, holder.root.order.width
    if len(data) <= width:
        return [holder.root.order.bytes[:0] + _other_element(holder, data)]
    shift = (1 + number % max(len(data) // width - 1, 1)) * width
    data = data[shift:] + data[:shift]
    size = len(data) // len(holder.shown)
    return [data[i * size : (i + 1) * size] for i in range(len(holder.shown))]


def _other_element(holder, data):
    # Twice the number, or one more: another valid element of any dtype that sequences use.
    dtype = holder.root.order.dtype
    if dtype.startswith("float"):
        return data[:-1] + bytes([data[-1] ^ 0x80])
    return bytes([data[0] ^ 1]) + data[1:]


def fresh(subject, array):
    """An array that was made and viewed like this one and never exported, or None."""
    made, refusal = attempt(subject.library.make, array.root.order)
    for part in array.recipe or ():
        if refusal is None:
            made, refusal = attempt(lambda of=made, part=part: of[part])
    return None if refusal else made


def exports_rightly(carrying, array, path):
    """Whether the first export of a fresh array on this path shows its elements."""
    made = None if array.recipe is None else fresh(carrying.subject, array)
    if made is None:
        return False
    held, _ = carrying.library.imported_contents(made)
    capsule, refusal = attempt(lambda: made.__dlpack__(**REQUESTS[path]))
    found, misfit = (None, True) if refusal else attempt(carrying.native.contents, capsule)
    return misfit is None and held is not None and found == held


def loses_references(subject, order):
    """Whether references to an array go away although nobody exports it, as those of a cache do, or at its first
    export alone, as those of a note that its elements are still to be made."""
    first, refusal = attempt(subject.library.make, order)
    if refusal:
        return True
    before = sys.getrefcount(first)
    more = [attempt(subject.library.make, order)[0] for _ in range(2)]
    if any(each is first for each in more):
        return True  # others hold it, too
    gc.collect()
    del more
    left = [before, sys.getrefcount(first)]
    held = [first] * 4  # a release that takes a reference away takes none of those that keep the array
    for _ in range(2):
        capsule = attempt(lambda: first.__dlpack__(**REQUESTS["versioned"]))[0]
        del capsule
        gc.collect()
        left.append(sys.getrefcount(first) - len(held))
    return left[1] < before or left[3] == left[2] < before


def imports_rightly(subject, source, **keywords):
    """Whether the library imports dlspec's own array of this layout, by itself, with the right elements."""
    order = source.root.order
    made, refusal = subject.library.from_dlpack(own(subject.native, order), **keywords)
    return refusal is None and subject.library.imported_contents(made)[0] == order.bytes


def copies_imports(subject, order):
    """Whether from_dlpack(copy=True) copies; a library that shares the memory is told by the ordinary case of it.

    Asked once, by a write to the source.
    """
    if "copies" not in subject.shared:
        made, refusal = attempt(subject.library.make, order)
        copy, misfit = (None, True) if refusal else subject.library.from_dlpack(made, copy=True)
        subject.shared["copies"] = bool(misfit) or _keeps(subject, made, copy, order)
    return subject.shared["copies"]


def _keeps(subject, made, copy, order):
    _, refusal = attempt(subject.library.write, made, order.bytes[::-1])
    return bool(refusal) or subject.library.imported_contents(copy)[0] in (None, order.bytes)


def shares_structs(subject, array):
    """Whether two capsules of the library hold one struct: then nobody can tell whose deleter is called.

    Asked once for the library's own arrays and once for its imports, of other ones than those of sequences.
    """
    key = "imports" if array.is_import else "arrays"
    if key not in subject.shared:
        order = array.root.order
        if array.is_import:
            probe = subject.library.from_dlpack(own(subject.native, order))[0]
        else:
            probe = attempt(subject.library.make, order)[0]
        subject.shared[key] = any(_is_one_struct(subject.native, probe, path) for path in ("versioned", "legacy"))
    return subject.shared[key]


def _is_one_struct(native, array, path):
    capsules = [attempt(lambda: array.__dlpack__(**REQUESTS[path]))[0] for _ in range(2)]
    places = [attempt(native.locate, capsule)[0] for capsule in capsules]
    return places[0] is not None and places[0] == places[1]


def is_sound(subject, array, path, capsule):
    """Whether the structs that the library exports on this path can be read field by field; asked once for each."""
    if array.recipe != () or array.is_opaque:
        return True
    key = array.root.order.dtype, array.root.layout, path
    if key not in subject.sound:
        located, misfit = attempt(subject.native.locate, capsule)
        order = types.SimpleNamespace(**{**vars(array.root.order), "bytes": array.expected})  # after what was written
        subject.sound[key] = not misfit and bool(located) and structs.fault_of(order, *located) is None
    return subject.sound[key]
