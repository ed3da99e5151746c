"""Producers: the copy keyword, asked for alone and together with max_version."""

from dlspec_worker.exports import exporting, judging
from dlspec_worker.exports.exporting import Export, export, refuse_rest
from dlspec_worker.exports.judging import judge_struct
from dlspec_worker.facts import dlpack, elements, wording
from dlspec_worker.facts.dlpack import NEWEST_FIRST, READ_ONLY
from dlspec_worker.producer.sharing import other_contents, shares_memory, without_copy
from dlspec_worker.producer.states import right_states
from dlspec_worker.producer.structs import judge_whole
from dlspec_worker.subject.large import ONCE, large
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

COPY_FLAGS = ("flags.is-copied-set", "flags.is-copied-honest")


def exports_with(trial, array, copy):
    """The exports that a value of `copy` gives, and the refusals.

    With and without max_version, because exporters have a branch for each. Both lists are empty when the keyword is
    unknown; the case is answered then.
    """
    made, refused = [], []
    for others in NEWEST_FIRST:
        each = export(trial, array, copy=copy, **others)
        if each.refusal is None:
            made.append(each)
        elif exporting.below_edition(trial, array, "copy"):
            return [], []
        elif not (others and exporting.is_keyword_unknown(trial, array, "max_version")):
            refused.append(each)
    return made, refused


def followed(trial, exports):
    """The exports whose memory can be read; when there are others, the case is blocked by their struct."""
    readable = [each for each in exports if judging.is_readable(trial, each)]
    if len(readable) < len(exports):
        trial.out.blocked("by the struct, which cannot be followed", *trial.out.rest())
    return readable


@variant("producer", "copy=true")
def copy_true(trial):
    """Array API 2023.12, __dlpack__, copy: True always copies; a clean refusal means that the feature is missing."""
    array = trial.library.make(trial.order)
    made, refused = exports_with(trial, array, True)
    copies = []
    for each in followed(trial, made):
        if shares_memory(trial, array, each):
            observed = f"{each.call} gave memory that it shares with the array"
            trial.out.violated("python.copy-true", observed, "a copy, or an exception")
            judge_struct(trial, each, copied=False)
            continue
        _judge_copy(trial, array, each)
        copies.append(each)
    for each in copies:
        _judge_mutable(trial, each)  # writes, so that it comes last
    if made:
        trial.out.pass_("python.copy-true")
    trial.out.not_applicable("python.copy-true-mutable")
    if refused:
        refuse_rest(trial, refused[0])


@variant("producer", "copied")
def copied(trial):
    """As copy_true, for every dtype and layout: a copy must be a correct export like any other."""
    array = trial.library.make(trial.order)
    # First, because a later export may change the earlier ones.
    rule = "python.copy-true" if shows_source(trial, array) else "tensor.element-address"
    made = export(trial, array, copy=True, max_version=dlpack.NEWEST)
    if made.refusal is None:
        ordered = made.facts["strides"] == trial.order.strides
        strides = {} if ordered else {"strides": elements.row_major(trial.order.shape)}  # a copy has its own
        judge_whole(trial, array, made, rule, **strides)
        trial.out.pass_("python.copy-true")
    elif not exporting.below_edition(trial, array, "copy"):
        refuse_rest(trial, made)


@variant("producer", "large=copied")
def large_copied(trial):
    """The same of more than 1 MiB, which libraries copy by other loops."""
    trial.order = large(trial, trial.library.make, ONCE)
    copied(trial)
    trial.out.not_applicable(*trial.out.rest())


def shows_source(trial, array):
    """True when what is exported without a copy leads to the array's elements."""
    plain = exporting.newest_export(trial, array)
    return (
        plain.generation is not None
        and judging.is_readable(trial, plain)
        and attempt(trial.native.contents, plain.capsule)[0] == trial.order.bytes
    )


def _judge_copy(trial, array, made):
    found, misfit = attempt(trial.native.contents, made.capsule)
    if (
        misfit is None
        and found != trial.order.bytes
        and _is_exported_well(trial, array, made)
        and judging.is_as_described(trial, made, "python.copy-true")
    ):
        way = elements.way_of(trial.order, found)
        observed = f"the copy holds other elements: {wording.of_bytes(found, trial.order.bytes)}"
        if way:
            trial.out.blocked(f"by {way.rule}", "python.copy-true")
        else:
            trial.out.wrong_value("python.copy-true", observed, "the contents of the source array")
    judge_struct(trial, made, copied=True)


def _is_exported_well(trial, array, made):
    """False when the export without a copy shows other elements too: the copy is not to blame."""
    plain = Export(trial, array, without_copy(made))
    if plain.refusal:
        plain = Export(trial, array, {"max_version": dlpack.NEWEST})
    if plain.fault:
        trial.out.blocked(f"by {plain.fault.rule}", "python.copy-true")
        return False
    return plain.generation is None or judging.shows_elements(trial, plain, "python.copy-true")


def _judge_mutable(trial, made):
    # Array API 2024.12, copies_views_and_mutation, copy keyword: what copy=True gives may be written in place.
    rule = "python.copy-true-mutable"
    if made.generation == "legacy":
        return  # has no READ_ONLY flag
    if made.is_flagged(READ_ONLY):
        trial.out.violated(rule, "the copy has READ_ONLY set", "a copy that may be written")
        return
    if attempt(trial.native.contents, made.capsule)[0] != trial.order.bytes:
        return
    data = other_contents(trial.order)
    _, misfit = attempt(trial.native.overwrite, made.capsule, data)
    if misfit is None and attempt(trial.native.contents, made.capsule)[0] == data:
        trial.out.pass_(rule)


@variant("producer", "copy=false")
def copy_false(trial):
    """Array API 2023.12, __dlpack__, copy: False never copies; 2024.12: BufferError where that is impossible."""
    array = trial.library.make(trial.order)
    made, refused = exports_with(trial, array, False)
    for each in followed(trial, made):
        shared = shares_memory(trial, array, each)
        if shared is False:
            trial.out.violated("python.copy-false", f"{each.call} gave a copy", "the array's memory, or BufferError")
        judge_struct(trial, each, copied=None if shared is None else not shared)
    for each in refused:
        _judge_error(trial, array, each)
    if made:
        trial.out.pass_("python.copy-false")
        trial.out.not_applicable("python.copy-false-error")
    if refused:
        refuse_rest(trial, refused[0])


@variant("producer", "copy=false-state")
def copy_false_of_states(trial):
    """The same of arrays that hold other elements than they show: conjugated, negated, not computed yet."""
    refusals = []
    for name, array in right_states(trial, trial.library.make(trial.order)).items():
        made, refused = exports_with(trial, array, False)
        for each in made:
            if judging.is_readable(trial, each) and shares_memory(trial, array, each) is False:
                observed = f"of a {name} array {each.call} gave a copy"
                trial.out.violated("python.copy-false", observed, "the array's memory, or BufferError")
            else:
                _judge_raw_memory(trial, name, array, each)
            trial.out.pass_("python.copy-false")
        for each in refused:
            _judge_error(trial, array, each)
        refusals += refused
    if refusals:
        refuse_rest(trial, refusals[0])
    trial.out.not_applicable(*trial.out.rest())


@variant("producer", "copy=true-state")
def copy_true_of_states(trial):
    """copy=True of such arrays: memory that the array goes on using is no copy, although it was made just now."""
    rule = "python.copy-true"
    for name, array in right_states(trial, trial.library.make(trial.order)).items():
        made = export(trial, array, copy=True, max_version=dlpack.NEWEST)
        plain = export(trial, array, max_version=dlpack.NEWEST)
        again = export(trial, array, max_version=dlpack.NEWEST)
        places = [each.first_element() for each in (made, plain, again) if each.generation is not None]
        if len(places) < 3:
            continue
        if len(set(places)) == 1:
            observed = f"of a {name} array {made.call} gave memory that later exports without a copy have, too"
            trial.out.violated(rule, observed, "a copy, or an exception")
        trial.out.pass_(rule)
    trial.out.not_applicable(rule)


def _judge_raw_memory(trial, name, array, made):
    """The elements of such an array that was exported without a copy; wrong ones of any export are told elsewhere."""
    rule = "python.copy-false-error"
    plain = Export(trial, array, without_copy(made))
    if trial.out.is_violated(rule) or not all(judging.is_readable(trial, each) for each in (made, plain)):
        return
    found, usual = (attempt(trial.native.contents, each.capsule)[0] for each in (made, plain))
    if found not in (None, trial.order.bytes) and usual == trial.order.bytes:
        observed = f"of a {name} array {made.call} leads to other elements than the array shows"
        trial.out.wrong_value(rule, observed, "the elements of the array, or BufferError")


def _judge_error(trial, array, refused):
    if Export(trial, array, without_copy(refused)).refusal:
        return  # not refused because of copy=False
    rule = "python.copy-false-error"
    if refused.refusal.is_a(BufferError):
        trial.out.pass_(rule)
        return
    milder = "copy-false-valueerror" if refused.refusal.is_a(ValueError) else None
    trial.out.violated(rule, f"{refused.call} raised {refused.refusal.text}", "BufferError", milder)


@variant("producer", "copy=none")
def copy_none(trial):
    """Array API 2023.12, __dlpack__, copy: None copies only where memory cannot be shared."""
    array = trial.library.make(trial.order)
    made, refused = exports_with(trial, array, None)
    for each in followed(trial, made):
        shared = shares_memory(trial, array, each)
        judge_struct(trial, each, copied=None if shared is None else not shared)
        if shared is False and _can_share(trial, array, each):
            observed = "the export was copied although copy=False shares the memory"
            trial.out.violated("python.copy-none", observed, "the array's memory where that is possible")
    if made:
        trial.out.pass_("python.copy-none")
    if refused:
        refuse_rest(trial, refused[0])


def _can_share(trial, array, made):
    strict = Export(trial, array, {**made.keywords, "copy": False})
    return strict.generation is not None and shares_memory(trial, array, strict) is True
