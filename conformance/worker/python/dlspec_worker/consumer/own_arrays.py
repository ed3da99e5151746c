"""Consumers: arrays of the library itself, its own and its imports, as sources of from_dlpack."""

import gc

from dlspec_worker.consumer.copies import FORWARDED
from dlspec_worker.consumer.keywords import RaisedBufferError, of_2023
from dlspec_worker.exports import judging
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import wording
from dlspec_worker.facts.dlpack import IS_COPIED, NEWEST
from dlspec_worker.imports import reading
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

PROPAGATED = "python.from-dlpack-propagates"
ELEMENTS, STRICT, KEPT = "tensor.element-address", "python.from-dlpack-copy-false-error", "python.from-dlpack-keepalive"


@variant("consumer", "own-array")
def own_array(trial):
    """Array API 2023.12, from_dlpack, copy: the same of any object with the methods, those of the library included."""
    if not of_2023(trial):
        return
    known = [(name, get) for name, get in _SOURCES.items() if _shows_order(trial, get(trial))]
    if not known:
        trial.out.unsupported("no array of the library shows what was ordered", *trial.out.rest())
    for name, get in known:
        _judge_source(trial, name, get(trial))
        _judge_kept(trial, name, get)
        _judge_override(trial, name, get(trial))
    trial.out.pass_(ELEMENTS, KEPT)
    trial.out.not_applicable(FORWARDED, STRICT, PROPAGATED)


def _made(trial):
    return attempt(trial.library.make, trial.order)[0]


def _imported(trial):
    return Import(trial, Source(trial)).array


_SOURCES = {"an array of the library itself": _made, "an import": _imported}


def _shows_order(trial, array):
    return array is not None and attempt(trial.library.contents_or_none, array)[0] == trial.order.bytes


def _judge_source(trial, name, array):
    if not _exports_order(trial, array):
        return  # said of the library as a producer
    for copy in (None, True, False):
        again, refusal = trial.library.from_dlpack(array, copy=copy)
        if not _shows_order(trial, array):
            return  # said of what its exports do to it
        if refusal is not None:
            continue
        found = trial.library.imported_contents(again)[0]
        if found not in (None, trial.order.bytes) and not (copy and _copies_wrongly(trial, array)):
            observed = f"from_dlpack of {name} with copy={copy}: {wording.of_bytes(found, trial.order.bytes)}"
            trial.out.wrong_value(ELEMENTS, observed, "the elements of that array")
        elif copy is not None and trial.order.bytes:
            _judge_memory(trial, name, array, again, copy)


def _judge_memory(trial, name, array, again, copy):
    """Told by the exports of both, which live together; nothing is said of those that are copies."""
    exports = [_export(trial, each) for each in (array, again, array, again)]
    if None in exports:
        return
    first, second, *repeated = (made.first_element() for made in exports)
    if [first, second] != repeated or (copy and _ignores_copy(trial, array, first)):
        return  # each export of one of them has memory of its own, or the library as a producer makes no copies
    if copy and first == second:
        trial.out.violated(FORWARDED, f"from_dlpack of {name} with copy=True has its memory", "a copy, or an exception")
    elif not copy and first != second:
        observed = f"from_dlpack of {name} with copy=False has memory of its own"
        trial.out.violated(STRICT, observed, "the memory of that array, or an exception")
    trial.out.pass_(FORWARDED if copy else STRICT)


def _ignores_copy(trial, array, place):
    asked = _copied_export(trial, array)
    return asked is not None and asked.first_element() == place


def _copied_export(trial, array):
    """What the library as a producer gives for copy=True, or None."""
    asked, _ = attempt(Export, trial, array, {"max_version": NEWEST, "copy": True})
    return asked if asked is not None and asked.generation is not None else None


def _exports_order(trial, array):
    made = _export(trial, array)
    return made is not None and judging.is_readable(trial, made) and _shown(trial, made) == trial.order.bytes


def _copies_wrongly(trial, array):
    """True when what the library as a producer copies has other elements: that is said of it there."""
    asked = _copied_export(trial, array)
    is_read = asked is not None and judging.is_readable(trial, asked)
    return is_read and _shown(trial, asked) != trial.order.bytes


def _shown(trial, made):
    return attempt(trial.native.contents, made.capsule)[0]


def _export(trial, array):
    """An export that is no copy, or None."""
    made = reading.exported(trial, array)
    return None if made is None or made.facts["data"] is None or made.is_flagged(IS_COPIED) else made


def _judge_override(trial, name, array):
    """Information at most: no sentence says that from_dlpack asks arrays of its own library by their methods."""

    def raises(self, **keywords):
        raise RaisedBufferError("this array stays here")

    derived, misfit = attempt(type, "Derived", (type(array),), {"__dlpack__": raises})
    if misfit or attempt(setattr, array, "__class__", derived)[1]:
        return  # its class cannot be derived from, or changed
    _, refusal = trial.library.from_dlpack(array)
    if refusal is None:
        observed = f"{name}, of a class whose __dlpack__ raises BufferError, was imported"
        allowed = "the BufferError, or a short way for arrays of the library itself"
        trial.out.info(PROPAGATED, observed, allowed, "own-array-shortcut")
    trial.out.pass_(PROPAGATED)


def _judge_kept(trial, name, get):
    """What from_dlpack made of an array outlives that array."""
    if not _exports_order(trial, get(trial)):
        return
    made, (again, refusal) = _export(trial, get(trial)), trial.library.from_dlpack(get(trial))
    gc.collect()
    others = [_made(trial) for _ in range(3)]  # in memory that is free now
    if refusal is None and _shown(trial, made) == trial.order.bytes:
        if trial.library.imported_contents(again)[0] not in (None, trial.order.bytes):
            observed = f"what from_dlpack made of {name} shows other elements once that is gone"
            trial.out.violated(KEPT, observed, "the elements, as long as the result lives")
    del others
