"""Consumers: from_dlpack itself, and the lifetime of the import."""

import enum
import gc

from dlspec_worker.facts.dlpack import DeviceType
from dlspec_worker.imports import capsule_names, consumed_capsules, importing
from dlspec_worker.imports.importing import Import, judge_elements, refused, unless_refused
from dlspec_worker.imports.source import Forwarder, LegacySource, Source, TersePositional
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant


@variant("consumer", "any-object")
def any_object(trial):
    """Array API 2021.12, from_dlpack: any object with the two methods, whatever its type."""
    rule = "python.from-dlpack-any-object"
    done = Import(trial, Source(trial))
    _judge_present(trial, done.array)
    if done.refusal is None:
        _judge_enumerator(trial, rule)
        _judge_unhashable(trial, rule)
        _judge_untrue(trial, rule)
        trial.out.pass_(rule)
        return
    own, _ = attempt(trial.library.make, trial.order)
    if own is not None and trial.library.from_dlpack(own)[1] is None:
        refusal = trial.library.from_dlpack(Forwarder(own))[1]
        if refusal:
            observed = f"the library's own array is taken, an object that forwards to it is not: {refusal.text}"
            trial.out.violated(rule, observed, "any object with __dlpack__ and __dlpack_device__")
        else:
            trial.out.pass_(rule)
    refused(trial, done)


class Untrue(Source):
    """An exporter that is false where a truth value is asked for, as an array of one zero is."""

    def __bool__(self):
        return False


def _judge_untrue(trial, rule):
    done = Import(trial, Untrue(trial))
    if done.refusal:
        observed = f"an object whose truth value is False was refused: {done.refusal.text}"
        trial.out.violated(rule, observed, "any object with __dlpack__ and __dlpack_device__")


class _Kind(enum.IntEnum):
    kDLCPU = DeviceType.kDLCPU


def _judge_enumerator(trial, rule):
    # Array API 2021.12, __dlpack_device__: the first of the two is of type Enum.
    done = Import(trial, Source(trial, says_device=(_Kind.kDLCPU, 0)))
    if done.refusal:
        observed = f"an object whose __dlpack_device__ gives a member of an IntEnum is refused: {done.refusal.text}"
        trial.out.violated(rule, observed, "any integer, enumerators included")


class _Unhashable(Source):
    """As arrays are whose == compares elements."""

    __hash__ = None


def _judge_unhashable(trial, rule):
    done = Import(trial, _Unhashable(trial))
    if done.refusal:
        trial.out.violated(rule, f"an object that has no hash is refused: {done.refusal.text}", "any object")


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
        trial.out.violated(rule, "the arrays' own namespace has no from_dlpack", "a function from_dlpack")


@variant("consumer", "legacy-only")
def legacy_only(trial):
    """Array API 2023.12, __dlpack__, Notes, the consumer's example: after TypeError ask without the new keywords."""
    rule = "python.consumer-typeerror-retry"
    done = Import(trial, LegacySource(trial, "legacy"))
    if done.refusal is None:
        terse = Import(trial, TersePositional(trial, "legacy")).refusal
        if terse:
            observed = f"an exporter whose TypeError does not name the unknown keyword was refused: {terse.text}"
            trial.out.violated(rule, observed, "a second call without the newer keywords")
        trial.out.pass_(rule)
        return
    modern = Import(trial, Source(trial, "legacy"))
    if modern.refusal is None:
        observed = f"an exporter without the new keywords was refused: {done.refusal.text}"
        trial.out.violated(rule, observed, "a second call without them")
    elif done.refusal.is_a(TypeError):
        _judge_foreign_arguments(trial, rule)
    refused(trial, done)


class Undemanding(Source):
    """Accepts every argument, as no exporter does, and records those that no edition defines."""

    foreign = ()

    def __dlpack__(self, *arguments, **keywords):
        known = {name: keywords.pop(name) for name in KEYWORDS if name in keywords}
        self.foreign = [*keywords, *("a positional argument" for _ in arguments)]
        return super().__dlpack__(**known)


KEYWORDS = ("stream", "max_version", "dl_device", "copy")


def _judge_foreign_arguments(trial, rule):
    source = Undemanding(trial)
    if Import(trial, source).refusal is None and source.foreign:
        observed = f"it sends what no edition has, and gives up at the TypeError: {', '.join(source.foreign)}"
        trial.out.violated(rule, observed, "a call with keywords of the standard")


@variant("consumer", "drop-source")
def drop_source(trial):
    """Python specification, Semantics: the result is an ordinary array, whatever happens to its source."""
    rule = "python.from-dlpack-keepalive"
    if capsule_names.names_are_lost(trial):
        return
    source = Source(trial)
    done = unless_refused(trial, Import(trial, source))
    early, renamed = source.is_released(), consumed_capsules.Capsules(trial, source).renamed
    before, reason = trial.library.imported_contents(done.array)
    by_capsule = consumed_capsules.capsules_release(source) and renamed
    array = done.array
    offers = source.offers  # kept: dlspec's memory, where poison shows after the release
    del source, done
    gc.collect()
    if before is None:
        trial.out.unsupported(reason, rule)
    elif before != trial.order.bytes:
        trial.out.blocked("by managed.not-early" if early else "by tensor.element-address", rule)
    elif trial.library.imported_contents(array)[0] == before:
        trial.out.pass_(rule)
    elif early or by_capsule:
        trial.out.blocked("by the release, which was early all the same", rule)
    elif not renamed:
        trial.out.blocked("by the capsule, which was not renamed", rule)
    else:
        judge_elements(trial, trial.library.imported_contents(array)[0], rule)
    del array, offers


@variant("consumer", "release")
def release(trial):
    """Python specification, Implementation: the consumer's array releases the tensor, and does not read it again."""
    if capsule_names.names_are_lost(trial):
        return
    for generation in (None, "legacy"):
        done = Import(trial, Source(trial, generation))
        if done.refusal is None:
            _judge_release(trial, done)
        elif generation is None:
            refused(trial, done)
    if not trial.out.is_violated(*trial.out.rules) and "managed.no-touch-after-delete" in trial.out.rest():
        _try_closed(trial)
    trial.out.pass_("managed.no-touch-after-delete")


def _judge_release(trial, done):
    source = done.source
    _judge_capsule_dropped(trial, done)
    done.drop()
    balanced = importing.releases_balance(source)
    if not balanced:
        trial.out.blocked(f"by the release: {importing.releases(source)}", "managed.no-touch-after-delete")
    importing.judge_pointer(trial, source)
    if source.is_touched_late():
        observed = "the memory was written to beside the elements, or it or the struct after the release"
        trial.out.violated("managed.no-touch-after-delete", observed, "no access after the deleter returned")


def _try_closed(trial):
    """Once more with memory that faults when it is touched after the release; the worker dies of it, and says so."""
    for generation in (None, "legacy"):
        done = Import(trial, Source(trial, generation))
        if done.refusal or done.source.is_released() or not consumed_capsules.Capsules(trial, done.source).renamed:
            continue  # released by now, or by its capsule too: other rules are reported for that
        trial.library.imported_contents(done.array)
        for offer in done.source.offers:
            offer.close_on_release()
        source = done.source
        source.forget_capsules()
        done.drop()
        source.wait_for_release()


def _judge_capsule_dropped(trial, done):
    rule = "capsule.no-release-by-consumer-capsule"
    source, renamed = done.source, consumed_capsules.Capsules(trial, done.source).renamed
    before = trial.library.imported_contents(done.array)[0]
    if not consumed_capsules.capsules_release(source):
        trial.out.pass_(rule)
    elif not renamed:
        trial.out.blocked("by the capsule, which was not renamed", rule)
    elif trial.library.imported_contents(done.array)[0] != before:
        observed = "dropping the capsule released the tensor under the imported array"
        trial.out.violated(rule, observed, "a release by the imported array")
    else:
        observed = "the elements were copied, and the renamed capsule released the tensor"
        trial.out.info(rule, observed, "a release by the imported array", "copied-capsule-left")
