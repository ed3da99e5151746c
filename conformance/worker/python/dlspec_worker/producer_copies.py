"""Producers: the copy keyword, asked for alone and together with max_version."""

from dlspec_worker import exporting, wording
from dlspec_worker.cases import variant
from dlspec_worker.exporting import Export, export, judge_struct, refuse_rest
from dlspec_worker.trial import attempt

READ_ONLY, IS_COPIED = 1, 2
COPY_FLAGS = ("flags.is-copied-set", "flags.is-copied-honest")


def exports_with(trial, array, copy):
    """The exports that a value of `copy` gives, and the refusals.

    With and without max_version, because an exporter has two branches there. Nothing at all when the keyword is
    unknown: the case has been answered then.
    """
    made, refused = [], []
    for others in ({"max_version": exporting.NEWEST}, {}):
        each = export(trial, array, copy=copy, **others)
        if each.refusal is None:
            made.append(each)
        elif exporting.below_edition(trial, array, "copy"):
            return [], []
        elif not (others and exporting.is_keyword_unknown(trial, array, "max_version")):
            refused.append(each)
    return made, refused


def other_contents(data, item):
    """The same elements, each in another's place."""
    return data[item:] + data[:item]


def shares_memory(trial, array, made):
    """True when the export leads to the source's own memory."""
    others = {name: value for name, value in made.keywords.items() if name != "copy"}
    plain = Export(trial, array, others)
    # Both live: one address is one piece of memory.
    if plain.generation and plain.first_element() == made.first_element():
        return True
    if trial.order.readonly or made.is_flagged(READ_ONLY):
        return False
    data = other_contents(trial.order.bytes, 4)
    before, misfit = attempt(trial.native.contents, made.capsule)
    if misfit or attempt(trial.native.overwrite, made.capsule, data)[1]:
        return False
    seen = trial.library.contents_or_none(array)
    trial.native.overwrite(made.capsule, before)
    return seen == data


@variant("producer", "copy=true")
def copy_true(trial):
    """Array API 2023.12, __dlpack__, copy: True always copies; refusing cleanly is a feature not offered."""
    array = trial.library.make(trial.order)
    made, refused = exports_with(trial, array, True)
    for each in made:
        if shares_memory(trial, array, each):
            observed = f"{each.call} gave memory that it shares with the array"
            trial.out.broken("python.copy-true", observed, "a copy, or an exception")
            judge_struct(trial, each, copied=False)
            continue
        _judge_copy(trial, each)
    if made:
        trial.out.pass_("python.copy-true")
    trial.out.not_applicable("python.copy-true-mutable")
    if refused:
        refuse_rest(trial, refused[0])


def _judge_copy(trial, made):
    found, misfit = attempt(trial.native.contents, made.capsule)
    if misfit is None and found != trial.order.bytes:
        observed = f"the copy holds other elements: {wording.of_bytes(found, trial.order.bytes)}"
        trial.out.broken("python.copy-true", observed, "the contents of the source array")
    judge_struct(trial, made, copied=True)
    _judge_mutable(trial, made)


def _judge_mutable(trial, made):
    # Array API 2024.12, copies_views_and_mutation, copy keyword: what copy=True gives may be written in place.
    rule = "python.copy-true-mutable"
    if made.generation == "legacy":
        return  # cannot say whether it may be written
    if made.is_flagged(READ_ONLY):
        trial.out.broken(rule, "the copy has READ_ONLY set", "a copy that may be written")
        return
    data = other_contents(trial.order.bytes, 4)
    _, misfit = attempt(trial.native.overwrite, made.capsule, data)
    if misfit is None and attempt(trial.native.contents, made.capsule)[0] == data:
        trial.out.pass_(rule)


@variant("producer", "copy=false")
def copy_false(trial):
    """Array API 2023.12, __dlpack__, copy: False never copies; 2024.12: BufferError where that cannot be."""
    array = trial.library.make(trial.order)
    made, refused = exports_with(trial, array, False)
    for each in made:
        shared = shares_memory(trial, array, each)
        if not shared:
            trial.out.broken("python.copy-false", f"{each.call} gave a copy", "the array's memory, or BufferError")
        judge_struct(trial, each, copied=not shared)
    for each in refused:
        _judge_error(trial, array, each)
    if made:
        trial.out.pass_("python.copy-false")
        trial.out.not_applicable("python.copy-false-error")
    if refused:
        refuse_rest(trial, refused[0])


def _judge_error(trial, array, refused):
    others = {name: value for name, value in refused.keywords.items() if name != "copy"}
    if Export(trial, array, others).refusal:
        return  # not refused because of copy=False
    rule = "python.copy-false-error"
    if refused.refusal.is_a(BufferError):
        trial.out.pass_(rule)
        return
    # The text of from_dlpack said ValueError, and torch, CuPy and JAX raise it here too.
    verdict = "warn" if refused.refusal.is_a(ValueError) else "fail"
    trial.out.broken(rule, f"{refused.call} raised {refused.refusal.text}", "BufferError", verdict)


@variant("producer", "copy=none")
def copy_none(trial):
    """Array API 2023.12, __dlpack__, copy: None copies only where memory cannot be shared."""
    array = trial.library.make(trial.order)
    made, refused = exports_with(trial, array, None)
    for each in made:
        shared = shares_memory(trial, array, each)
        judge_struct(trial, each, copied=not shared)
        if not shared and _can_share(trial, array, each):
            observed = "the export was copied although copy=False shares the memory"
            trial.out.broken("python.copy-none", observed, "the array's memory where that is possible", "warn")
    if made:
        trial.out.pass_("python.copy-none")
    if refused:
        refuse_rest(trial, refused[0])


def _can_share(trial, array, made):
    strict = Export(trial, array, {**made.keywords, "copy": False})
    return strict.generation is not None and shares_memory(trial, array, strict)
