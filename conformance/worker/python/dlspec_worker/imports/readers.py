"""Whether contents() is believed where an import shows wrong elements: the adapter's reader may be at fault.

It is believed where it was seen to be right for an array of that kind, dtype and layout: one that make() gave, whose
elements dlspec knows. Otherwise a second reader decides, which is independent of the adapter: the import's own export,
read by dlspec.
"""

import types

from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import elements, wording
from dlspec_worker.facts.dlpack import NEWEST, NEWEST_FIRST
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt


def doubt(trial, array, found):
    """Why the wrong elements that contents() shows are not held against the library; None where it is believed."""
    wanted = trial.order.bytes
    if found is None or found == wanted:
        return None
    checked = _is_checked(trial)
    if checked and _follows_strides(trial):
        return None
    second, reason = _shown_by_export(trial, array)
    if second == found or (checked and second != wanted):
        return None
    unchecked = "contents() could not be checked for strided arrays" if checked else _unchecked(trial)
    return f"{unchecked}: {reason or _difference(found, second, wanted)}"


def contradiction(trial, array, found, wanted):
    """The same where a control has shown that contents() reads such imports: only right elements elsewhere count."""
    if found is None or found == wanted or _is_checked(trial) or _shown_by_export(trial, array)[0] != wanted:
        return None
    return f"{_unchecked(trial)}: {_difference(found, wanted, wanted)}"


def _unchecked(trial):
    return f"contents() could not be checked for {trial.order.dtype}, of which make() gives no array"


def _difference(found, second, wanted):
    if second == wanted:
        return f"it shows {wording.of_bytes(found, wanted)}, and the import's own export the right elements"
    return "it shows other elements than the import's own export"


def _is_checked(trial):
    """True where contents() was right for an array of this dtype, or this adapter makes none and it reads imports."""
    known, dtype = trial.library.readable, trial.order.dtype
    if dtype not in known:
        known[dtype] = _reads_what_it_made(trial)
    if known[dtype] or "make" in trial.library.provides:
        return known[dtype]
    compact = {"strides": elements.row_major(trial.order.shape), "byte_offset": 0, "flags": 0}
    return _reads_import(trial, trial.order.bytes, **compact) or (
        dtype in ORDINARY and _reads_import(trial, bytes(range(64)), dtype="int32", shape=(16,), strides=(1,))
    )


def _follows_strides(trial):
    """True where the ordered array is compact, or contents() was right for a strided one of the library's own.

    Where the adapter says that contents() is what a function of the library returns, that function is the library's.
    """
    order = trial.order
    if trial.library.reader or order.strides in (None, elements.row_major(order.shape)):
        return True
    if reads_made(trial, strides=order.strides, offset=order.offset):
        return True
    compact = elements.with_layout(order, None)
    view, refusal = attempt(lambda: trial.library.make(compact).T)
    if refusal or attempt(trial.library.contents_or_none, view)[0] != elements.in_reversed_axes(order):
        return False
    made, _ = attempt(Export, trial, view, {"max_version": NEWEST})
    strides = made and made.generation and made.facts["strides"]
    return bool(strides) and tuple(strides) != elements.row_major(order.shape[::-1])


# What reads one of these reads all of them: numbers that the array API has had from its first edition on.
ORDINARY = frozenset(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)) | {"float32", "float64"}


def _reads_what_it_made(trial):
    """Whether it reads an array of its own with the ordered shape, or with one axis: the dtype is what matters."""
    order = trial.order
    return any(reads_made(trial, shape=shape) for shape in (order.shape, (elements.count_of(order),)))


def reads_made(trial, **fields):
    """True where contents() is right for a compact array like the ordered one that make() gives."""
    order = types.SimpleNamespace(
        **{**vars(trial.order), "strides": None, "offset": 0, "readonly": False, **fields},
    )
    array, refusal = attempt(trial.library.make, order)
    return refusal is None and attempt(trial.library.contents_or_none, array)[0] == order.bytes


def exports_the_same(trial, array, found):
    """True where the import's own export, read by dlspec, shows these elements."""
    return found is not None and _shown_by_export(trial, array)[0] == found


def _reads_import(trial, wanted, **fields):
    done = Import(trial, Source(trial, contents=wanted, **fields))
    return done.refusal is None and trial.library.imported_contents(done.array)[0] == wanted


def _shown_by_export(trial, array):
    """(elements, None) by the import's own export, or (None, reason)."""
    if trial.library.exports_hold:
        return None, "exports of imports are never released, so that none is made"
    for keywords in NEWEST_FIRST:
        made, _ = attempt(Export, trial, array, keywords)
        if made is not None and made.generation and _is_sound(trial, made):
            found, misfit = attempt(trial.native.contents, made.capsule)
            if misfit is None:
                return found, None
    return None, "the import exports nothing that could be read in its place"


def _is_sound(trial, made):
    return made.facts.get("data") is not None and trial.native.judge(made.capsule, [], {})["readable"]
