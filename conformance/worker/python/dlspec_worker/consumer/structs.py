"""Consumers: fields that are legal but rare, and fields that are to be refused."""

import itertools
import operator

from dlspec_worker.consumer.sharing import is_copied
from dlspec_worker.facts import elements, values, wording
from dlspec_worker.facts.dlpack import NOBODY, UNDEFINED_CODE
from dlspec_worker.imports import consumed_capsules, importing, readers, writers
from dlspec_worker.imports.importing import Import, judge_elements, judge_refusal_releases, refused
from dlspec_worker.imports.reading import Reading
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant


def imports(trial, **changes):
    """True when the library imports the tensor with these fields: the clean twin of a refused one."""
    done = Import(trial, Source(trial, **changes))
    return done.refusal is None


def judge_taken(trial, source, *rules):
    """Judges an import whose elements must be right. Returns it, refused or not."""
    done = Import(trial, source)
    if done.refusal is None:
        found, reason = trial.library.imported_contents(done.array)
        if found is None:
            trial.out.unsupported(reason, *rules)
        elif found != trial.order.bytes and not shows_ordinary(trial):
            trial.out.blocked("by the elements of every import", *rules)
        elif doubt := readers.doubt(trial, done.array, found):
            trial.out.unsupported(doubt, *rules)
        elif judge_elements(trial, found, rules[0], done.array):
            trial.out.pass_(*rules)
        else:
            trial.out.blocked(f"by {rules[0]}", *rules)
    return done


def shows_ordinary(trial):
    """False when an import without the odd field shows wrong elements too: then the field is not to blame."""
    done = Import(trial, Source(trial))
    return done.refusal is not None or trial.library.imported_contents(done.array)[0] == trial.order.bytes


@variant("consumer", "strides-null=1.0", "strides-null=legacy")
def strides_null(trial):
    """dlpack.h before 1.2, DLTensor.strides: NULL means row-major and compact."""
    legacy = trial.variant.endswith("legacy")
    fields = {"generation": "legacy"} if legacy else {"generation": "versioned", "version": (1, 0)}
    rules = ("tensor.strides-null-means-rowmajor", "tensor.strides-null-tolerance")
    if legacy and _judge_older_rules(trial):
        trial.out.blocked("by version.legacy-has-none", *rules)
        return
    done = judge_taken(trial, Source(trial, strides=None, **fields), *rules)
    if done.refusal:
        if not done.source.refused_the_question and imports(trial, **fields):
            observed = f"refused, though taken with strides: {done.refusal.text}"
            trial.out.violated("tensor.strides-null-tolerance", observed, "NULL strides, read as row-major")
        refused(trial, done)
    trial.out.blocked("by tensor.strides-null-means-rowmajor", "version.legacy-has-none")


def _judge_older_rules(trial):
    """True when NULL is misread only where there is no version: a struct of version 1.0 is read correctly."""
    rule = "version.legacy-has-none"
    bare = Reading(trial, "legacy", strides=None)
    dated = Reading(trial, "versioned", strides=None, version=(1, 0))
    if bare.is_wrong and dated.is_right and shows_ordinary(trial):
        observed = "NULL strides are followed in a struct of version 1.0, and misread in one without a version"
        trial.out.wrong_value(rule, observed, "row-major elements, or a refusal")
        return True
    if bare.is_right:
        trial.out.pass_(rule)
    return False


@variant("consumer", "data-null")
def data_null(trial):
    """dlpack.h 1.0, DLTensor.data: NULL for a tensor without elements."""
    _judge_empty(trial, "tensor.data-null-empty-accepted", null_data=True)


@variant("consumer", "data-null=rank1")
def data_null_vector(trial):
    """The same of shape (0,)."""
    trial.order = values.order(trial.order, shape=(0,), strides=None)
    data_null(trial)


@variant("consumer", "data-nonnull")
def data_nonnull(trial):
    """Releases before 1.0 say nothing, and most exporters set some pointer."""
    _judge_empty(trial, "tensor.data-nonnull-empty-accepted", null_data=False)


def _judge_empty(trial, rule, null_data):
    for generation in (None, "legacy"):
        done = judge_taken(trial, Source(trial, generation, null_data=null_data), rule)
        if done.refusal and imports(trial, generation=generation, null_data=not null_data):
            other = "a pointer" if null_data else "NULL"
            observed = f"refused, though taken with {other}: {done.refusal.text}"
            trial.out.violated(rule, observed, "both forms of an empty tensor")
        if done.refusal and generation is None:
            refused(trial, done)


@variant("consumer", "shape-null")
def shape_null(trial):
    """dlpack.h 1.2, DLTensor.shape and .strides: may be NULL when ndim is 0."""
    fields = {"tensor.shape-null-scalar": {"null_shape": True}, "tensor.strides-null-scalar": {"strides": None}}
    done = judge_taken(trial, Source(trial, null_shape=True, strides=None), *fields)
    if done.refusal is None:
        return
    if imports(trial):
        # A scalar is imported: which of the two NULLs is refused?
        for rule, field in fields.items():
            if not imports(trial, **field):
                trial.out.violated(rule, f"refused because of NULL: {done.refusal.text}", "NULL with ndim 0")
            trial.out.pass_(rule)
    refused(trial, done)


@variant("consumer", "strides=nowhere")
def idle_strides(trial):
    """dlpack.h 1.2, DLTensor.strides: a scalar has none, whatever the member leads to."""
    rule = "tensor.strides-null-scalar"
    for generation in (None, "legacy"):
        # Whoever reads a stride kills the worker, which first reports where.
        done = judge_taken(trial, Source(trial, generation, strides_nowhere=True), rule)
        if done.refusal and imports(trial, generation=generation):
            observed = f"refused because of strides that are not NULL: {done.refusal.text}"
            trial.out.violated(rule, observed, "any strides with ndim 0")
        if done.refusal and generation is None:
            refused(trial, done)


@variant("consumer", "strides=far")
def far_strides(trial):
    """dlpack.h, DLTensor.strides: nothing is ever a step away along an axis of one element."""
    rule = "tensor.strides-extent1-ignored"
    for far, generation in itertools.product((40, 62), (None, "legacy")):
        strides = [1 << far if extent == 1 else step for extent, step in zip(trial.order.shape, trial.order.strides)]
        done = judge_taken(trial, Source(trial, generation, strides=tuple(strides)), rule)
        if done.refusal and imports(trial, generation=generation):
            observed = f"refused because of a stride of 2**{far} on an axis of one element: {done.refusal.text}"
            trial.out.violated(rule, observed, "strides of such extents have no meaning")
        if done.refusal and generation is None:
            refused(trial, done)
    _judge_column(trial, rule)


def _judge_column(trial, rule):
    """One of two columns, every second one of whose elements it has: its axis of one element has the step of rows."""
    count = 4
    size = elements.bits_of(trial.order.dtype) // 8
    column = values.changed(
        trial.order, shape=(count, 1), strides=(2, 1), offset=0, bytes=trial.order.bytes[: count * size]
    )
    alone, beside = (Reading(trial.again(values.changed(column, strides=(2, step)))) for step in (1, 2))
    if alone.is_right and beside.is_wrong:
        observed = f"strides (2,2) of shape (4,1): {wording.of_bytes(beside.found, column.bytes)}"
        trial.out.wrong_value(rule, observed, "the elements that strides (2,1) show")


@variant("consumer", "minor=0", "minor=99", "minor=4294967295")
def other_minor(trial):
    """dlpack.h 1.0, DLPackVersion: another minor version alone is no reason to refuse."""
    rule = "version.minor-mismatch-usable"
    minor = int(trial.variant.split("=")[1])
    done = judge_taken(trial, Source(trial, "versioned", version=(1, minor)), rule)
    if done.refusal is None:
        _judge_released(trial, done)
        return
    trial.out.not_applicable("managed.deleter-once")
    if not done.source.refused_the_question and imports(trial, generation="versioned"):
        observed = f"version 1.{minor} was refused, 1.3 is taken: {done.refusal.text}"
        trial.out.violated(rule, observed, "any minor version of major 1")
    refused(trial, done)


def _judge_released(trial, done):
    """managed.deleter-once for a struct of another minor version, where that of today is released."""
    if consumed_capsules.Capsules(trial, done.source).renamed and _releases_today(trial):
        done.drop()
        importing.judge_releases(trial, done.source)
    trial.out.blocked("by the release of every import", "managed.deleter-once")


def _releases_today(trial):
    source = Source(trial, "versioned")
    done = Import(trial, source)
    done.drop()
    return done.refusal is None and importing.releases_balance(source)


@variant("consumer", "unknown-dtype")
def unknown_dtype(trial):
    """dlpack.h 1.0, DLPackVersion: only what the consumer knows how to interpret."""
    judge_unknown(trial, "dtype code 200", code=UNDEFINED_CODE)
    known = Source(trial)
    done = Import(trial, known)
    if done.refusal is None and known.offers and not trial.out.is_violated("version.unknown-values-rejected"):
        done.drop()
        what = "dtype code 200, of memory that was taken with a known dtype before,"
        judge_unknown(trial, what, code=UNDEFINED_CODE, data=known.offers[0].data_address)


@variant("consumer", "unknown-device")
def unknown_device(trial):
    """As unknown_dtype. __dlpack_device__ names the same device, because some consumers trust it alone."""
    judge_unknown(trial, "device type 99", device=NOBODY)


def judge_unknown(trial, what, **fields):
    rule = "version.unknown-values-rejected"
    for generation in (None, "legacy"):
        source = Source(trial, generation, **fields)
        done = Import(trial, source)
        if done.refusal is None:
            _judge_unknown_taken(trial, rule, what if generation is None else f"{what} in a legacy struct", done)
        elif not judge_refusal_releases(trial, source):
            break
        elif source.is_touched_late():
            observed = f"after the refusal of a tensor with {what} its memory was written to"
            trial.out.violated("managed.no-touch-after-delete", observed, "no access after the release")
    trial.out.pass_(rule, "managed.no-touch-after-delete")


def _judge_unknown_taken(trial, rule, what, done):
    # Holding a tensor without reading it is no deviation; showing its elements is a guess.
    shown, refusal = trial.library.imported_contents(done.array)
    if shown is None:
        trial.out.info(
            rule, f"a tensor with {what} was imported; reading it is refused: {refusal}", "a refusal", "held-unread"
        )
        trial.out.not_applicable("managed.error-releases")
    else:
        trial.out.violated(rule, f"a tensor with {what} was imported, and its elements are shown", "a refusal")
        trial.out.blocked(f"by {rule}", "managed.error-releases")


@variant("consumer", "read-only")
def read_only(trial):
    """dlpack.h 1.0, DLPACK_FLAG_BITMASK_READ_ONLY; array API 2023.12, from_dlpack, Notes."""
    source = Source(trial, "versioned")
    done = Import(trial, source)
    if done.refusal:
        _judge_refused_flag(trial, done)
        refused(trial, done)
        return
    trial.library.imported_contents(done.array)
    written = any(held != trial.order.bytes for held in source.contents())
    if written:
        observed = "the import or the reading of it changed the elements"
        trial.out.violated("flags.read-only-not-written", observed, "memory that is only read")
    trial.out.pass_("flags.read-only-not-written")
    _judge_write(trial, source, done)


def _judge_refused_flag(trial, done):
    if done.source.refused_the_question or not imports(trial, generation="versioned", flags=0):
        return
    relaxed = Import(trial, Source(trial, "versioned"), copy=None)
    if relaxed.refusal is None and is_copied(trial, relaxed):
        return  # such tensors are copied, and copy=False leaves nothing but a refusal
    observed = f"refused because of READ_ONLY: {done.refusal.text}"
    allowed = "a read-only array; or, without such arrays, the flag ignored"
    trial.out.violated("flags.read-only-respected", observed, allowed)


def _judge_write(trial, source, done):
    rule = "flags.read-only-respected"
    data = trial.order.bytes[4:] + trial.order.bytes[:4]
    source.let_write()
    refusal = trial.library.write(done.array, data)
    attempt(operator.setitem, done.array, (0,) * len(trial.order.shape), 1)
    unchanged = all(held == trial.order.bytes for held in source.contents())
    if unchanged or (refusal and trial.library.has_no_read_only(trial.order)):
        trial.out.pass_(rule)
        return
    observed = "the library wrote into memory that was marked READ_ONLY"
    if trial.library.makes_read_only(trial.order):
        writers.respects_read_only(trial.library, trial.order)
        trial.out.violated(rule, observed, "an array that cannot be written")
    else:
        trial.out.info(
            rule, observed, "an array that cannot be written; the library has no such arrays", "no-read-only-arrays"
        )
