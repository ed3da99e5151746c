"""What an imported array says about itself, and whether it shares the memory of the producer's array."""

import re

from dlspec_worker.facts import elements, wording
from dlspec_worker.facts.dlpack import IS_COPIED, NEWEST_FIRST, READ_ONLY
from dlspec_worker.imports import writers
from dlspec_worker.trial.attempts import attempt

_NAME = re.compile(r"\b(bool|[a-z]+\d+\w*)")


def facts_of(native, library, array):
    """The facts of the array's newest export, or None. The capsule is dropped."""
    method, _ = attempt(getattr, array, "__dlpack__")
    if method is None:
        return None
    for keywords in NEWEST_FIRST:
        capsule, refusal = attempt(method, **keywords)
        if refusal is None:
            facts, _ = attempt(native.look, capsule)
            return facts if facts and facts["dtype"] is not None else None
    return None


class ImportedArray:
    """An imported array by its own export and attributes. `dtypes` is empty, `shape` None where neither says."""

    def __init__(self, native, library, array, order):
        self._native, self._library, self._order = native, library, order
        self.facts = facts_of(native, library, array)
        self.dtypes = self._dtypes_of(array)
        self.shape = self._shape_of(array)

    def _dtypes_of(self, array):
        names = [self.facts["dtype_name"]] if self.facts else []
        text, refusal = attempt(lambda: str(array.dtype))
        match = None if refusal else _NAME.search(text)
        return names + ([match[1]] if match and match[1] not in names else [])

    def _shape_of(self, array):
        if self.facts and self.facts.get("shape") is not None:
            return tuple(self.facts["shape"])
        return attempt(lambda: tuple(int(extent) for extent in array.shape))[0]

    def is_as_own(self):
        """True when the library shows an array of its own, of the ordered dtype, under the same name."""
        own, _ = attempt(self._library.make, self._order)
        return own is not None and ImportedArray(self._native, self._library, own, self._order).dtypes == self.dtypes

    def strides(self):
        """In elements, or None where nothing says."""
        if not self.facts or self.shape is None:
            return None
        steps = self.facts.get("strides")
        return elements.row_major(self.shape) if steps is None else tuple(steps)


def observe(exchange, told, made, imported, right):
    """What is reported of an exchange beyond its verdicts. May change the elements of both arrays."""
    memory = _memory(exchange, told, made, imported, right)
    read_only = _read_only(exchange, told, made, imported) if exchange.order.readonly else ""
    # A write on one side was seen on the other.
    memory = "shared" if read_only == "lost" else memory
    return {"tensor": _text(told), "layout": _layout(exchange.order, told), "memory": memory, "read_only": read_only}


def _text(told):
    if not told.dtypes or told.shape is None:
        return ""
    strides = told.strides()
    layout = "" if strides is None else ":" + wording.of_numbers(strides)
    return f"{told.dtypes[0]} {wording.of_numbers(told.shape)}{layout}"


def _layout(order, told):
    strides = told.strides()
    if strides is None or told.shape != order.shape:
        return "unknown"
    wanted = elements.row_major(order.shape) if order.strides is None else order.strides
    means = [axis for axis, extent in enumerate(order.shape) if extent > 1 and 0 not in order.shape]
    return "kept" if all(strides[axis] == wanted[axis] for axis in means) else "changed"


def _memory(exchange, told, made, imported, right):
    """shared, copied or unknown; none for an array without elements."""
    if not exchange.order.bytes:
        return "none"
    theirs, ours = facts_of(exchange.native, exchange.producer, made), told.facts
    places = [_first(facts) for facts in (theirs, ours)]
    if None not in places and places[0] == places[1]:
        return "shared"
    if not right:
        return "unknown"
    written = _is_written_through(exchange, made, imported)
    if written is not None:
        return "shared" if written else "copied"
    again = _first(facts_of(exchange.native, exchange.consumer, imported))
    return "copied" if None not in places and again == places[1] else "unknown"


def _first(facts):
    """The address of element (0, ..., 0); None where it is unknown or the export is itself a copy."""
    if not facts or facts["data"] is None or (facts.get("flags") or 0) & IS_COPIED:
        return None
    return facts["data"] + facts["byte_offset"]


def _is_written_through(exchange, made, imported):
    """Whether what is written on one side is seen on the other; None where neither side can be written and read."""
    order = exchange.order
    if order.readonly or elements.overlaps(order) or 0 in (order.strides or ()) or not _other(order):
        return None
    pairs = (
        (exchange.consumer, imported, exchange.producer, made),
        (exchange.producer, made, exchange.consumer, imported),
    )
    for writer, mine, reader, theirs in pairs:
        if "write" in writer.provides and writer.is_written(mine, _other(order)):
            seen, _ = attempt(reader.contents_or_none, theirs)
            return None if seen is None else seen == _other(order)
    return None


def _other(order):
    """The elements, rotated by one; None where that changes nothing."""
    size = len(order.bytes) // max(1, elements.count_of(order))
    rotated = order.bytes[size:] + order.bytes[:size]
    return rotated if rotated != order.bytes else None


def _read_only(exchange, told, made, imported):
    """kept, lost or unknown. Lost: a write to the import is seen in the producer's array."""
    if told.facts and (told.facts.get("flags") or 0) & READ_ONLY:
        return "kept"
    flags, _ = attempt(getattr, imported, "flags")
    writeable, _ = attempt(getattr, flags, "writeable")
    if writeable is False:
        return "kept"
    other = _other(exchange.order)
    if "write" not in exchange.consumer.provides or not other:
        return "unknown"
    writers.respects_read_only(exchange.consumer, exchange.order)
    if not exchange.consumer.is_written(imported, other):
        return "kept"
    seen, _ = attempt(exchange.producer.contents_or_none, made)
    return "unknown" if seen is None else "lost" if seen == other else "kept"
