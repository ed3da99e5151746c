"""Consumers: copies, asked for or not, judged by writing on one side and reading on the other."""

from dlspec_worker.consumer.asking import host_devices
from dlspec_worker.consumer.keywords import Raised, RaisedBufferError, RaisingSource, of_2023, what_became
from dlspec_worker.consumer.sharing import is_copied, is_shared
from dlspec_worker.facts import values, wording
from dlspec_worker.facts.dlpack import IS_COPIED
from dlspec_worker.facts.elements import row_major
from dlspec_worker.imports import (
    capsule_names,
    consumed_capsules,
    dtypes,
    importing,
    plain_layouts,
    readers,
    whole_imports,
)
from dlspec_worker.imports.importing import Import, refused
from dlspec_worker.imports.source import CopyingSource, KnowsVersionsAlone, LegacySource, Source
from dlspec_worker.trial.variants import variant

FORWARDED = "python.copy-forwarded"


@variant("consumer", "zero-copy")
def zero_copy(trial):
    """Python specification, Semantics: shared memory where nothing forces a copy."""
    rule = "tensor.zero-copy"
    done = Import(trial, Source(trial))
    if done.refusal:
        refused(trial, done)
    elif plain_layouts.reads_byte_strides(trial):
        trial.out.violated("tensor.strides-unit", "strides are taken for numbers of bytes", "numbers of elements")
    if done.refusal:
        return
    if "contents" not in trial.library.provides:
        trial.out.unsupported("the adapter has no contents()", *trial.out.rest())
    elif releases_early(trial):
        trial.out.blocked("by managed.not-early", rule)
    elif not is_shared(trial, done):
        _judge_needless_copy(trial, rule)
    else:
        _judge_forgotten(trial, rule)
    trial.out.pass_(rule, "tensor.strides-unit")


def _judge_forgotten(trial, rule):
    # What an import that failed was asked for says nothing to the next one.
    Import(trial, RaisingSource(trial, "__dlpack__"), copy=True)
    done = Import(trial, Source(trial))
    if done.refusal is None and is_shared(trial, done):
        return
    became = f"refused: {done.refusal.text}" if done.refusal else "copied"
    observed = f"after an import with copy=True that failed, the next one, without the keyword, was {became}"
    trial.out.violated(rule, observed, "shared memory")


def _judge_needless_copy(trial, rule):
    # No text says what forces a copy; where copy=False shares the memory, nothing did.
    strict = Import(trial, Source(trial), copy=False)
    if strict.refusal is None and is_shared(trial, strict):
        trial.out.violated(rule, "the import was copied although copy=False shares the memory", "shared memory")


@variant("consumer", "copy=true")
def copy_true(trial):
    """Array API 2023.12, from_dlpack, copy: True means a copy, whichever side makes it."""
    if not of_2023(trial):
        return
    done = [Import(trial, source, copy=True) for source in (CopyingSource(trial), Source(trial))]
    known = CopyingSource(trial)
    alive = Import(trial, known)  # an import of the same object may be remembered
    for each in (*done, Import(trial, known, copy=True)):
        if each.refusal is None:
            _judge_copy(trial, each)
    del alive
    if all(each.refusal for each in done):
        trial.out.unsupported(f"copies are refused: {done[0].refusal.text}", FORWARDED)
        trial.out.not_applicable("managed.deleter-once")
    for each in done:
        if each.refusal is None:
            _judge_released(trial, each, True)
    trial.out.pass_(*capsule_names.RENAMED)


@variant("consumer", "copied")
def copied(trial):
    """As copy_true, for every dtype and layout: a copy must respect the struct like any other import."""
    if not of_2023(trial):
        return
    trial.out.not_applicable("flags.read-only-not-written")  # the source of a copy is only read
    # A compact one first: a library may reuse for this layout what it compiled for that one.
    Import(trial, Source(trial, strides=row_major(trial.order.shape), byte_offset=0), copy=True)
    sources = (CopyingSource(trial), Source(trial), Source(trial, "legacy"))
    done = [Import(trial, source, copy=True) for source in sources]
    for each in done:
        if each.refusal is None:
            _judge_copied(trial, each)
    if all(each.refusal for each in done):
        trial.out.unsupported(f"copies are refused: {done[0].refusal.text}", *trial.out.rest())


@variant("consumer", "large=copied")
def large_copied(trial):
    """The same of more than 1 MiB, which libraries copy by other loops."""
    trial.order = importing.large(trial)
    copied(trial)
    trial.out.not_applicable(*trial.out.rest())


def _judge_copied(trial, done):
    found, reason = trial.library.imported_contents(done.array)
    if found is None:
        trial.out.unsupported(reason, *trial.out.rest())
        return
    masking = dtypes.judge_dtype(trial, done.array, found)
    if found == trial.order.bytes:
        trial.out.pass_(*(each for each in trial.out.rules if each.startswith("tensor.")))
        return
    shared = Import(trial, Source(trial))
    if shared.refusal is None and trial.library.imported_contents(shared.array)[0] != trial.order.bytes:
        trial.out.blocked("by the elements of every import", *trial.out.rest())
    elif masking or trial.out.is_violated("dtype.no-silent-reinterpret"):
        trial.out.blocked(f"by {masking}" if masking else "by dtype.no-silent-reinterpret", *trial.out.rest())
    elif doubt := readers.doubt(trial, done.array, found):
        trial.out.unsupported(doubt, *trial.out.rest())
    else:
        rule = importing.rule_of_layout(trial, CopyingSource, copy=True)
        observed = f"with copy=True the import shows other elements: {wording.of_bytes(found, trial.order.bytes)}"
        trial.out.wrong_value(rule, observed, "the elements that the struct leads to")
        trial.out.blocked(f"by {rule}", *trial.out.rest())


def _judge_released(trial, done, copy):
    rule = "managed.deleter-once"
    capsules = consumed_capsules.Capsules(trial, done.source)
    if not capsule_names.keeps_names(trial):
        trial.out.blocked("by capsule.names-static", rule)
        return
    if capsules.misnamed:
        capsule_names.judge_misnamed(trial, "versioned" if done.source.was_versioned else "legacy", capsules)
    if not capsules.renamed:
        trial.out.blocked("by the capsule, which was not renamed", rule)
    else:
        done.drop()
        if not importing.releases_balance(done.source):
            whole_imports.judge_kept_by_export(trial, done.source, copy=copy)
        importing.judge_releases(trial, done.source)


def _judge_copy(trial, done):
    found, reason = trial.library.imported_contents(done.array)
    if found is None:
        trial.out.unsupported(reason, FORWARDED)
    elif found != trial.order.bytes:
        trial.out.blocked("by the elements of the import", FORWARDED)
    elif is_shared(trial, done):
        observed = "with copy=True the import has the source's own memory"
        trial.out.violated(FORWARDED, observed, "memory of its own, or an exception")
    trial.out.pass_(FORWARDED)


@variant("consumer", "copy=false")
def copy_false(trial):
    """Array API 2023.12, from_dlpack, copy, device and Raises: False shares memory or raises; it never copies."""
    rule = "python.from-dlpack-copy-false-error"
    if not of_2023(trial):
        return
    if releases_early(trial):
        trial.out.blocked("by managed.not-early", *trial.out.rest())
        return
    if _ignores_true(trial):
        trial.out.blocked(f"by {FORWARDED}: the keyword has no effect", *trial.out.rest())
        return
    done = Import(trial, Source(trial), copy=False)
    if done.refusal is None and is_copied(trial, done):
        trial.out.violated(
            rule, "with copy=False the import has memory of its own", "the source's memory, or an exception"
        )
    elif done.refusal is None:
        _judge_released(trial, done, False)
    trial.out.not_applicable("managed.deleter-once")
    trial.out.pass_(*capsule_names.RENAMED)
    copied = Import(trial, Source(trial, "versioned", flags=IS_COPIED), copy=False)
    if copied.refusal:
        importing.judge_refusal_releases(trial, copied.source)
    trial.out.not_applicable("managed.error-releases")
    _judge_impossible(trial, rule)


@variant("consumer", "copy=false-device")
def copy_false_on_device(trial):
    """The same where the device that the source is on is named as well."""
    rule = "python.from-dlpack-copy-false-error"
    if not of_2023(trial):
        return
    devices = [each for each in host_devices(trial) if Import(trial, Source(trial), device=each).refusal is None]
    if not devices:
        trial.out.not_applicable(rule)  # it understands no name of the host
    elif releases_early(trial):
        trial.out.blocked("by managed.not-early", rule)
    elif _ignores_true(trial):
        trial.out.blocked(f"by {FORWARDED}: the keyword has no effect", rule)
    for device in () if trial.out.answered(rule) else devices:
        done = Import(trial, Source(trial), copy=False, device=device)
        if done.refusal is None and is_copied(trial, done):
            observed = "with copy=False and the host as device the import has memory of its own"
            trial.out.violated(rule, observed, "the source's memory, or an exception")
        _judge_impossible(trial, rule, device=device)


def releases_early(trial):
    done = Import(trial, Source(trial))
    released = done.refusal is None and done.source.is_released()
    return released and trial.library.imported_contents(done.array)[0] != trial.order.bytes


def _ignores_true(trial):
    """Told by a compact array: others may be copied in any case."""
    plain = trial.again(values.plain_order(trial.order))
    done = Import(plain, Source(plain), copy=True)
    return done.refusal is None and is_shared(plain, done)


def _judge_impossible(trial, rule, **keywords):
    """A source that cannot share its memory, after one of the same class that knows no keywords."""
    Import(trial, CopyingSource(trial, generation="legacy"))
    source = CopyingSource(trial, always=True)
    done = Import(trial, source, copy=False, **keywords)
    allowed = "BufferError or ValueError"
    if done.refusal is None:
        how = (
            "asked again without it"
            if any(each.get("copy") is False for each in source.asked)
            else "never asked for it"
        )
        trial.out.violated(rule, f"copy=False of a source that must copy: the consumer {how}, and took a copy", allowed)
    elif not done.refusal.is_a(BufferError, ValueError, NotImplementedError) and not _wraps(trial, RaisedBufferError):
        # Two places of the standard disagree on which of these two it is; any other error hides the cause.
        trial.out.violated(
            rule, f"copy=False of a source that must copy: {done.refusal.text}", allowed, "other-copy-error"
        )
    trial.out.pass_(rule)


def _wraps(trial, error):
    """True when no exception of this type reaches the caller from any source: another rule is reported for that."""
    return what_became(trial, "__dlpack__", error) is not None


@variant("consumer", "typeerror")
def always_typeerror(trial):
    """NumPy's practice: the second call is for older exporters, not for dropping an exception or a keyword."""
    rule = "python.consumer-retry-not-masking"
    if not of_2023(trial):
        return
    if _wraps(trial, Raised):
        trial.out.blocked("by python.from-dlpack-propagates", rule)
        return
    done = Import(trial, TypeErrors(trial))
    if done.refusal is None:
        trial.out.wrong_value(rule, "every call raised TypeError, and an array came back", "the TypeError")
    elif not done.refusal.is_a(TypeError):
        trial.out.violated(rule, f"every call raised TypeError, which became {done.refusal.text}", "the TypeError")
    _judge_dropped_copy(trial, rule)
    trial.out.pass_(rule)


class TypeErrors(Source):
    """Raises TypeError whatever the keywords, so that the keywords are not the cause."""

    def __dlpack__(self, **keywords):
        raise TypeError("this source cannot be exported")


def _judge_dropped_copy(trial, rule):
    """copy=True of an exporter that does not know the keyword: the result must not share memory."""
    for source in (LegacySource(trial, "legacy"), KnowsVersionsAlone(trial)):
        done = Import(trial, source, copy=True)
        if done.refusal is None and is_shared(trial, done):
            break
    else:
        return
    if _ignores_true(trial):
        trial.out.blocked(f"by {FORWARDED}", rule)
        return
    observed = "after a TypeError copy=True was dropped: the import has the source's own memory"
    trial.out.wrong_value(rule, observed, "a copy, or an exception")
