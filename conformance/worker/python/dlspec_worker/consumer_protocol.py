"""Consumers: from_dlpack itself, and what becomes of the import."""

import gc

from dlspec_worker import exporting, importing
from dlspec_worker.cases import variant
from dlspec_worker.importing import Import, judge_elements, refused
from dlspec_worker.source import Forwarder, LegacySource, Source
from dlspec_worker.trial import attempt


@variant("consumer", "any-object")
def any_object(trial):
    """Array API 2021.12, from_dlpack: any object with the two methods, whatever its type."""
    rule = "python.from-dlpack-any-object"
    done = Import(trial, Source(trial))
    _judge_present(trial, done.array)
    if done.refusal is None:
        trial.out.pass_(rule)
        return
    own, _ = attempt(trial.library.make, trial.order)
    if own is not None and trial.library.from_dlpack(own)[1] is None:
        refusal = trial.library.from_dlpack(Forwarder(own))[1]
        if refusal:
            observed = f"the library's own array is taken, an object that forwards to it is not: {refusal.text}"
            trial.out.broken(rule, observed, "any object with __dlpack__ and __dlpack_device__")
        else:
            trial.out.pass_(rule)
    refused(trial, done)


def _judge_present(trial, array):
    # Python specification, Syntax: the library's namespace has the function.
    rule = "python.from-dlpack-present"
    if callable(getattr(trial.library.module, "from_dlpack", None)):
        trial.out.pass_(rule)
        return
    namespace, refusal = attempt(lambda: array.__array_namespace__())
    if refusal:
        trial.out.unsupported("the adapter imports by another function than the namespace's from_dlpack", rule)
    elif callable(getattr(namespace, "from_dlpack", None)):
        trial.out.pass_(rule)
    else:
        trial.out.broken(rule, "the arrays' own namespace has no from_dlpack", "a function from_dlpack")


@variant("consumer", "legacy-only")
def legacy_only(trial):
    """Array API 2023.12, __dlpack__, Notes, the consumer's example: after TypeError ask without the new keywords."""
    rule = "python.consumer-typeerror-retry"
    done = Import(trial, LegacySource(trial, "legacy"))
    if done.refusal is None:
        trial.out.pass_(rule)
        return
    modern = Import(trial, Source(trial, "legacy"))
    if modern.refusal is None:
        observed = f"an exporter without the new keywords was refused: {done.refusal.text}"
        trial.out.broken(rule, observed, "a second call without them")
    refused(trial, done)


@variant("consumer", "drop-source")
def drop_source(trial):
    """Python specification, Semantics: the result is a usual array, whatever becomes of its source."""
    rule = "python.from-dlpack-keepalive"
    source = Source(trial)
    done = Import(trial, source)
    if done.refusal:
        refused(trial, done)
        return
    array = done.array
    if source.is_released() and trial.library.imported_contents(array)[0] != trial.order.bytes:
        trial.out.blocked("by managed.not-early", rule)
        return
    renamed = importing.Capsules(trial, source).renamed
    offers = source.offers  # kept: dlspec's memory, where poison shows after the release
    before = source.is_released()
    source.forget_capsules()
    if renamed and source.is_released() and not before:
        trial.out.blocked("by capsule.no-release-by-consumer-capsule", rule)
        return
    del source, done
    gc.collect()
    found, reason = trial.library.imported_contents(array)
    if found is None:
        trial.out.unsupported(reason, rule)
    elif found != trial.order.bytes and not renamed:
        trial.out.blocked("by the capsule, which was not renamed", rule)
    elif judge_elements(trial, found, rule):
        trial.out.pass_(rule)
    del array, offers


@variant("consumer", "zero-copy")
def zero_copy(trial):
    """Python specification, Semantics: shared memory where nothing forces a copy."""
    rule = "tensor.zero-copy"
    done = Import(trial, Source(trial))
    if done.refusal:
        refused(trial, done)
        return
    shared = _shares(trial, done)
    if shared is None:
        trial.out.unsupported("the import neither exports nor writes: nothing shows whose memory it has", rule)
    elif shared:
        trial.out.pass_(rule)
    else:
        _judge_needless_copy(trial, rule)


def _judge_needless_copy(trial, rule):
    # No text says what forces a copy: it was not forced when copy=False shares.
    strict = Import(trial, Source(trial), copy=False)
    if strict.refusal is None and _shares(trial, strict):
        trial.out.broken(rule, "the import was copied although copy=False shares the memory", "shared memory", "info")
    trial.out.pass_(rule)


def _shares(trial, done):
    """True, False, or None when nothing can tell."""
    if done.source.is_released():
        return False
    for keywords in ({"max_version": exporting.NEWEST}, {}):
        made, _ = attempt(exporting.Export, trial, done.array, keywords)
        if made is not None and made.generation and not made.is_flagged(2):
            return made.first_element() in [offer.data_address for offer in done.source.offers]
    if "write" not in trial.library.provides:
        return None
    data = trial.order.bytes[4:] + trial.order.bytes[:4]
    trial.library.write(done.array, data)
    return data in done.source.contents()


@variant("consumer", "release")
def release(trial):
    """Python specification, Implementation: the consumer's array releases, and nobody looks again."""
    done = Import(trial, Source(trial))
    if done.refusal:
        refused(trial, done)
        return
    source = done.source
    _judge_capsule_dropped(trial, done)
    done.drop()
    source.wait_for_release()
    if not source.is_released() or source.deleter_calls != source.handed_out:
        trial.out.blocked("by managed.deleter-once", "capsule.no-release-by-consumer-capsule")
        trial.out.blocked(f"by the release: {importing.releases(source)}", "managed.no-touch-after-delete")
    trial.out.pass_("capsule.no-release-by-consumer-capsule")
    wrong = sum(offer.wrong_self for offer in source.offers)
    if wrong:
        observed = "the deleter was called with another address than the struct's"
        trial.out.broken("managed.deleter-original-pointer", observed, "the pointer that the capsule held")
    trial.out.pass_("managed.deleter-original-pointer")
    if source.is_touched_late():
        observed = "the memory was written to beside the elements, or it or the struct after the release"
        trial.out.broken("managed.no-touch-after-delete", observed, "no access after the deleter returned")
    if not trial.out.is_broken(*trial.out.rules):
        _try_closed(trial)
    trial.out.pass_("managed.no-touch-after-delete")


def _try_closed(trial):
    """Once more with memory that faults when it is touched after the release: that ends the worker, which says so."""
    for generation in (None, "legacy"):
        done = Import(trial, Source(trial, generation))
        if done.refusal or done.source.is_released():
            continue
        trial.library.imported_contents(done.array)
        for offer in done.source.offers:
            offer.close_on_release()
        source = done.source
        source.forget_capsules()
        done.drop()
        source.wait_for_release()


def _judge_capsule_dropped(trial, done):
    rule = "capsule.no-release-by-consumer-capsule"
    released_at_import = done.source.is_released()
    renamed = importing.Capsules(trial, done.source).renamed
    done.source.forget_capsules()
    gc.collect()
    if done.source.is_released() and not released_at_import:
        found = trial.library.imported_contents(done.array)[0]
        if found != trial.order.bytes and not renamed:
            trial.out.blocked("by the capsule, which was not renamed", rule)
        elif found != trial.order.bytes:
            observed = "dropping the capsule released the tensor under the imported array"
            trial.out.broken(rule, observed, "a release by the imported array")
        observed = "the elements were copied, and the capsule released the tensor"
        trial.out.info(rule, observed, "a release by the imported array")
    trial.out.pass_(rule)
