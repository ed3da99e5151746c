"""Producers: the whole struct and its contents, and which capsule answers which max_version."""

from dlspec_worker.exports import contents, exporting, judging
from dlspec_worker.exports.exporting import Export, export, refuse_rest
from dlspec_worker.exports.judging import judge_name, judge_struct
from dlspec_worker.facts import dlpack, elements, values
from dlspec_worker.facts.dlpack import READ_ONLY
from dlspec_worker.imports import views, writers
from dlspec_worker.subject.large import ONCE, large
from dlspec_worker.trial.variants import variant

LAID_OUT = ("capsule.pointer-type", "abi.dtype-4-bytes", "tensor.strides-length")


@variant("producer", "max_version=1.3")
def newest(trial):
    """dlpack.h, every struct rule; DLTensor.data, .strides, .byte_offset for the address of each element."""
    array = trial.library.make(trial.order)
    origin = {}
    if trial.out.wants("flags.read-only-truthful") and not trial.order.readonly and is_writable(trial):
        origin["read_only"] = False
    judge_whole(trial, array, exporting.newest_export(trial, array), **origin)


def is_writable(trial):
    """True when the library lets an array like the ordered one be written; writing may change the judged one."""
    known, order = trial.library.writable, trial.order
    kind = (order.dtype, order.shape, order.strides, order.offset)
    if kind not in known:
        writers.respects_read_only(trial.library, order)
        known[kind] = trial.library.is_written(trial.library.make(order), order.bytes)
    return known[kind]


@variant("producer", "read-only")
def read_only(trial):
    """The same of an array that may not be written, whatever its layout."""
    # A writable one of the same description comes first: what it says may be remembered.
    _first = exporting.newest_export(trial, trial.library.make(trial.order))
    trial.order = values.order(trial.order, readonly=True)
    newest(trial)
    rule, array = "flags.read-only-set", trial.library.make(trial.order)
    words = views.without_flag(trial, array, READ_ONLY) if trial.out.is_passed(rule) else None
    if words:
        trial.out.violated(rule, f"{words} of a read-only array is exported without the flag", "READ_ONLY, or a copy")


@variant("producer", "large")
def large_array(trial):
    """The same of an array whose memory comes from elsewhere, because it has more than 1 MiB."""
    trial.order = large(trial, trial.library.make, ONCE)
    newest(trial)


@variant("producer", "rank=40")
def of_many_axes(trial):
    """The same of an array of 40 axes, all but the last of which have one element."""
    trial.order = values.changed(trial.order, shape=(1,) * (40 - len(trial.order.shape)) + trial.order.shape)
    newest(trial)


@variant("producer", "alignment")
def alignment(trial):
    """dlpack.h, DLTensor.data. Many arrays, alive together, because the place of a single one is chance."""
    rule = "tensor.data-256-aligned"
    arrays = [trial.library.make(trial.order) for _ in range(32)]
    starts = []
    for array in arrays:
        made = exporting.newest_export(trial, array)
        if made.refusal:
            refuse_rest(trial, made)
            return
        if not judging.is_readable(trial, made):
            trial.out.blocked("by the struct, which cannot be followed", rule)
            return
        starts.append(made.facts["data"])
    if all(start % 256 == 0 for start in starts):
        trial.out.pass_(rule)
    else:
        trial.out.info(rule, "data is not always a multiple of 256", "256, as written; nobody keeps it")


@variant("producer", "plain")
def plain(trial):
    """Array API 2021.12, __dlpack__: called as before max_version existed."""
    array = trial.library.make(trial.order)
    made = export(trial, array)
    if made.refusal is None:
        # First, because the other check makes and drops exports of the same array.
        judge_whole(trial, array, made)
    judge_none_legacy(trial, array, made)
    if made.refusal and trial.order.readonly and made.refusal.is_a(BufferError):
        # A legacy capsule cannot say READ_ONLY; NumPy and torch refuse to make one.
        trial.out.pass_("flags.read-only-legacy-refused")
    if made.refusal:
        refuse_rest(trial, made)


def judge_whole(trial, array, made, rule="tensor.element-address", **origin):
    """Name, struct and contents of one export; `rule`: reported for elements that are wrong in no particular way."""
    if made.refusal:
        refuse_rest(trial, made)
        return
    if not judge_name(trial, made):
        return
    turned, widened = contents.is_turned(trial, made), contents.is_widened(trial.order, made.facts)
    if turned:
        shape = trial.order.shape[::-1]
        origin.update(shape=shape, strides=made.facts["strides"] or elements.row_major(shape))
    if widened:
        origin.update(dtype=widened)
    if not judge_struct(trial, made, **origin):
        trial.out.blocked("by the struct, which cannot be followed", *LAID_OUT, *contents.rest(trial))
        return
    # Export checked these before the fields were read.
    trial.out.not_applicable(*(["tensor.strides-length"] if not made.facts["strides"] else []))
    trial.out.pass_(*LAID_OUT)
    contents.judge(trial, array, made, rule)


@variant("producer", "max_version=none")
def asked_for_none(trial):
    """Array API 2023.12, __dlpack__, Notes: None or absent means a consumer that may not know the versioned struct."""
    array = trial.library.make(trial.order)
    made = export(trial, array, max_version=None)
    judge_none_legacy(trial, array, made)
    if made.refusal:
        refuse_rest(trial, made)
    else:
        judge_name(trial, made)


def judge_none_legacy(trial, array, made):
    """python.max-version-none-legacy, from a call without max_version."""
    rule = "python.max-version-none-legacy"
    if made.refusal is None and exporting.other_struct(made):
        trial.out.blocked("by capsule.name-matches-struct", rule)
    elif exporting.is_keyword_unknown(trial, array, "max_version"):
        trial.out.not_applicable(rule)
    elif made.refusal is None and made.generation == "versioned":
        trial.out.violated(rule, f"{made.call} gave a versioned capsule", "a legacy capsule or BufferError")
    elif made.refusal is None or made.refusal.is_a(BufferError):
        trial.out.pass_(rule)  # BufferError: tolerated by the standard since March 2025
    elif not trial.order.readonly and Export(trial, array, {"max_version": dlpack.NEWEST}).refusal is None:
        # Refused because of the version alone.
        trial.out.violated(rule, f"{made.call} raised {made.refusal.text}", "a legacy capsule or BufferError")


@variant("producer", "max_version=0.0", "max_version=0.8")
def asked_for_legacy(trial):
    """Array API 2023.12, __dlpack__, Notes, the producer's last branch: legacy or BufferError."""
    array = trial.library.make(trial.order)
    made = export(trial, array, max_version=_asked(trial))
    rule = "python.max-version-0-legacy-or-buffererror"
    allowed = "a legacy capsule or BufferError"
    if made.refusal is None:
        if not judge_name(trial, made):
            return
        if made.generation == "versioned":
            trial.out.violated(rule, f"{made.call} gave a versioned capsule", allowed)
        _judge_later_minors(trial, array, rule, allowed)
        trial.out.pass_(rule)
    elif not exporting.below_edition(trial, array, "max_version"):
        if made.refusal.is_a(BufferError):
            trial.out.pass_(rule)
        elif export(trial, array).refusal is None:
            trial.out.violated(rule, f"{made.call} raised {made.refusal.text}", allowed)
        refuse_rest(trial, made)


def _judge_later_minors(trial, array, rule, allowed):
    """0.10 and 0.99 come before 1.0, whoever compares them as decimal fractions or by their minor parts."""
    for minor in (10, 99) if trial.variant == "max_version=0.8" else ():
        made = export(trial, array, max_version=(0, minor))
        if made.generation == "versioned":
            trial.out.violated(rule, f"{made.call} gave a versioned capsule", allowed)


@variant("producer", "max_version=1.0")
def asked_for_first(trial):
    """Array API 2023.12, __dlpack__, max_version: a versioned capsule, or one of another version."""
    array = trial.library.make(trial.order)
    made = export(trial, array, max_version=(1, 0))
    rule = "python.max-version-1-versioned"
    if made.refusal is None:
        if not judge_name(trial, made):
            return
        if made.generation == "legacy":
            allowed = "a versioned capsule; another version is permitted"
            trial.out.info(rule, f"{made.call} gave a legacy capsule", allowed, "legacy-capsule-for-1")
        trial.out.pass_(rule, "python.max-version-minor-not-binding")
    elif not exporting.below_edition(trial, array, "max_version"):
        _judge_refused_version(trial, array, made, rule)


@variant("producer", "max_version=1.99", "max_version=2.0", "max_version=100.3")
def asked_for_future(trial):
    """Array API 2023.12, __dlpack__, Notes: whoever asks for a newer version than the exporter has gets its newest."""
    array = trial.library.make(trial.order)
    made = export(trial, array, max_version=_asked(trial))
    rule = "python.max-version-higher-ok"
    if made.refusal is None:
        if judge_name(trial, made):
            _judge_own_newest(trial, array, made, rule)
    elif not exporting.below_edition(trial, array, "max_version"):
        _judge_refused_version(trial, array, made, rule)


def _asked(trial):
    """(1, 99) of "max_version=1.99"."""
    return tuple(int(number) for number in trial.variant.partition("=")[2].split("."))


def _judge_own_newest(trial, array, made, rule):
    """A caller of the future gets what a caller of today gets: no older struct, and no invented version."""
    today = Export(trial, array, {"max_version": dlpack.NEWEST})
    versions = [each.facts["version"] for each in (today, made) if each.generation == "versioned"]
    if None in versions:
        trial.out.blocked("by the struct, which cannot be followed", rule)
    elif today.generation == "versioned" and not exporting.other_struct(today):
        has = today.facts["version"][0]
        allowed = f"what max_version={dlpack.NEWEST} gives: a versioned capsule of major {has}"
        if made.generation == "legacy":
            trial.out.violated(rule, f"{made.call} gave a legacy capsule", allowed)
        elif made.facts["version"][0] != has:
            trial.out.violated(rule, f"{made.call} gave one of major {made.facts['version'][0]}", allowed)
    trial.out.pass_(rule)


def _judge_refused_version(trial, array, made, rule):
    # Only a refusal that is due to the version tells something about it.
    if export(trial, array).refusal is None:
        trial.out.violated(rule, f"{made.call} raised {made.refusal.text}", "a capsule of the exporter's own version")
    refuse_rest(trial, made)
