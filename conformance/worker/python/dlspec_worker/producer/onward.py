"""Producers: an import is an array like any other, so that its export, or that of a view of it, is judged as one."""

import gc

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts.dlpack import NEWEST_FIRST, READ_ONLY
from dlspec_worker.imports import importing
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.offers import byte_offset
from dlspec_worker.imports.source import Source
from dlspec_worker.producer.structs import judge_whole
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant

BORROW, BALANCED, PROPAGATED = "managed.borrow", "managed.owner-balanced", "flags.read-only-propagated"
ELEMENTS = "tensor.element-address"


@variant("producer", "onward", "onward-view")
def onward(trial):
    """dlpack.h, DLManagedTensor: every struct rule, and the source alive until the release."""
    done, array = _imported(trial)
    made = _exported(trial, array)
    _judge_flag(trial, done, made)
    judge_whole(trial, array, made, **_known_of_flag(trial, done, made))
    del array
    if not trial.out.is_passed(ELEMENTS):
        trial.out.blocked(f"by {ELEMENTS}", BORROW, BALANCED)
        return
    _judge_borrow(trial, done, made)
    _judge_release(trial, done.source, made)


def _imported(trial):
    """An import that shows what was offered, and what is exported: it, or a view of it. Anything else ends the case."""
    if "from_dlpack" not in trial.library.provides:
        raise Unsupported("the adapter has no from_dlpack()")
    if trial.order.readonly and not trial.library.makes_read_only(trial.order):
        raise Unsupported("the library has no read-only arrays")
    done = Import(trial, Source(trial))
    if done.refusal:
        raise Unsupported(f"the import was refused: {done.refusal.text}")
    if trial.variant == "onward":
        return done, _showing(trial, done.array)
    view, misfit = attempt(lambda: done.array[...])
    if misfit or view is None:
        raise Unsupported("the import has no view by array[...]")
    return done, _showing(trial, view)


def _showing(trial, array):
    if trial.library.imported_contents(array)[0] != trial.order.bytes:
        raise Unsupported("the import does not show the elements that were offered")
    return array


def _exported(trial, array):
    for keywords in NEWEST_FIRST:
        made, _ = attempt(Export, trial, array, keywords)
        if made is not None and (made.generation or made.fault):
            return made if made.generation else exporting.export(trial, array, **keywords)
    raise Unsupported("the imported array exports nothing")


def _places(trial, done):
    """Where element (0, ..., 0) of the source lies."""
    return [offer.data_address + byte_offset(trial.order) for offer in done.source.offers]


def _known_of_flag(trial, done, made):
    """What judge_whole may demand. flags.read-only-set says the same as flags.read-only-propagated."""
    if trial.out.is_violated(PROPAGATED):
        return {"read_only": False}
    is_free = _is_copy(trial, done, made) or (trial.order.readonly and not _came_with_flags(done))
    return {"read_only": None} if is_free else {}


def _is_copy(trial, done, made):
    """A copy may be flagged as the library likes."""
    return made.first_element() not in _places(trial, done)


def _came_with_flags(done):
    """False for an import through the legacy struct, which cannot say that the memory is read-only."""
    return done.source.was_versioned


def _judge_flag(trial, done, made):
    is_judged = trial.order.readonly and made.generation == "versioned" and _came_with_flags(done)
    if not is_judged or _is_copy(trial, done, made):
        trial.out.not_applicable(PROPAGATED)
    elif made.is_flagged(READ_ONLY):
        trial.out.pass_(PROPAGATED)
    else:
        observed = "memory that came READ_ONLY is exported without the flag"
        trial.out.violated(PROPAGATED, observed, "READ_ONLY, or a copy")


def _judge_borrow(trial, done, made):
    """The elements while nothing but the export is left."""
    if _loses_by_itself(trial):
        trial.out.blocked("by managed.not-early", BORROW)
    which = "the import" if _is_lost(trial, done, made) else None
    if which is None and trial.variant == "onward" and _is_lost_of_legacy(trial):
        which = "an import of a legacy struct"
    if which:
        observed = f"after {which} was dropped its export shows other elements"
        trial.out.violated(BORROW, observed, "the elements, until the export is released")
    trial.out.pass_(BORROW)


def _is_lost(trial, done, made):
    done.drop()
    done.source.forget_capsules()
    gc.collect()
    importing.collect()
    return not _shows(trial, made)


def _shows(trial, made):
    found, misfit = attempt(trial.native.contents, made.capsule)
    return misfit is None and found == trial.order.bytes


def _is_lost_of_legacy(trial):
    """Where such an import is taken and exported, and keeps its elements itself."""
    done = Import(trial, Source(trial, "legacy"))
    if done.refusal or trial.library.imported_contents(done.array)[0] != trial.order.bytes:
        return False
    made, misfit = attempt(_exported, trial, done.array)
    if misfit or not _shows(trial, made) or _loses_by_itself(trial, "legacy"):
        return False
    return _is_lost(trial, done, made)


def _loses_by_itself(trial, generation=None):
    """True when an import that is kept loses its elements as well, once its source is gone."""
    done = Import(trial, Source(trial, generation))
    done.source.forget_capsules()
    importing.collect()
    return done.refusal is None and trial.library.imported_contents(done.array)[0] != trial.order.bytes


def _judge_release(trial, source, made):
    """The source is released once, by what is consumed and released last."""
    if trial.out.is_violated(BORROW) or made.facts["null_deleter"] or not _releases_ordinary(trial):
        trial.out.blocked("by the release of every import", BALANCED)
        return
    watch = trial.native.watch(made.capsule)
    watch.take()
    made.drop()
    watch.release()
    if importing.releases_balance(source):
        trial.out.pass_(BALANCED)
    elif not source.kept_until_next:
        observed = f"after the import and its export were released {importing.releases(source)}"
        trial.out.violated(BALANCED, observed, importing.ONCE)
    trial.out.info(BALANCED, "the release came when other tensors were imported", importing.ONCE, "released-late")


def _releases_ordinary(trial):
    done = Import(trial, Source(trial))
    done.drop()
    return done.refusal is None and importing.releases_balance(done.source)
