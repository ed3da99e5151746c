"""Consumers: an import on every path of plan/paths.def, judged by everything that holds for any import."""

import copy

from dlspec_worker.consumer import onward, path_meanwhile, surroundings
from dlspec_worker.consumer import path_steps as steps
from dlspec_worker.consumer.copies import FORWARDED
from dlspec_worker.consumer.keywords import judge_propagated
from dlspec_worker.consumer.path_meanwhile import EARLY, SHOWN, WRITTEN
from dlspec_worker.consumer.sharing import is_shared
from dlspec_worker.consumer.table_hostile import STEALS, path_through_table
from dlspec_worker.facts import elements, values
from dlspec_worker.imports import capsule_names, dtypes, importing, reading
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import CopyingSource, Source
from dlspec_worker.imports.using import use
from dlspec_worker.subject import nearest
from dlspec_worker.subject.large import OFTEN
from dlspec_worker.trial import stimuli, threads
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.paths import Judge, Path
from dlspec_worker.trial.variants import variant

ONCE, NULL = "managed.deleter-once", "tensor.strides-null-means-rowmajor"


@variant("consumer", "path")
def path(trial):
    """dlpack.h, DLTensor and both managed structs; Python specification, Implementation: on any path."""
    if capsule_names.names_are_lost(trial):
        return
    trial.order = nearest.choose_taken(trial.library, trial.order, lambda order: _takes(trial.again(order)))
    _JUDGE.judge(trial)


def _takes(trial):
    done = Import(trial, Source(trial))
    done.source.forget_capsules()
    return done.refusal is None


def _act(trial, way):
    if "stimulus" in way.levels:
        stimuli.carry_out("consumer", trial, way, surroundings.surround, use)
        return
    if way.get("strides", "given") == "null" and not _reads_null_strides(trial, way):
        trial.out.blocked(f"by {NULL}", *trial.out.rest())
        return
    if way.get("size", "small") == "large":
        trial = copy.copy(trial)
        trial.order = importing.large(trial, OFTEN)
    if way.get("channel", "function") == "table":
        path_through_table(trial, lambda inner: _exchange(inner, way))
    else:
        trial.out.not_applicable(STEALS)
        _exchange(trial, way)
    trial.out.not_applicable(*trial.out.rest())


def _reads_null_strides(trial, way):
    """False where those of the plainest tensor are misread: a larger one may then be read past its end."""
    struct = way.get("struct", "1.3")
    if struct not in trial.library.reads_null_strides:
        plain = trial.again(values.plain_order(trial.order))
        only = Path({"struct": struct, "strides": "null"}, plain.order)
        trial.library.reads_null_strides[struct] = _is_right(plain, only)
    return trial.library.reads_null_strides[struct]


def _exchange(trial, way):
    taken_before = way.get("before", "nothing") in _REFUSALS and _is_taken(trial, way)
    kept = steps.BEFORE[way.get("before", "nothing")](trial, way)
    source = kept[0].source if way.get("before", "") in steps.OF_THE_SAME else steps.source(trial, way)
    earlier = _earlier(trial, way)
    done = _import(trial, way, source)
    if done.refusal:
        if not kept:
            importing.judge_refusal_releases(trial, source)
        if taken_before and _is_refused_after(trial, way):
            observed = f"what was imported before is refused after a refusal: {done.refusal.text}"
            trial.out.violated("managed.error-releases", observed, "a refusal that leaves nothing behind")
        importing.refused(trial, done)
        return
    trial.out.not_applicable("managed.error-releases")
    if _judge_shown(trial, way, done):
        for each in earlier:
            each.drop()
            importing.releases_balance(each.source)
        held = path_meanwhile.judge_meanwhile(trial, way, done)
        path_meanwhile.judge_untouched(trial, way, source)
        if held is done:
            _judge_onward(trial, way, done)
            _judge_copy(trial, way, done)  # writes, so that it comes last
        _judge_release(trial, way, held, kept)


# --- the import

_REFUSALS = ("refusal", "refusals", "exception")


def _is_refused_after(trial, way):
    """Once more: the same history, then the same import."""
    steps.BEFORE[way.get("before", "nothing")](trial, way)
    return not _is_taken(trial, way)


def _earlier(trial, way):
    """Imports that are released while the one under judgement lives."""
    return (
        [steps.imported(trial, way), steps.neighbour(trial, way)] if way.get("after", "") == "earlier-released" else []
    )


def _is_taken(trial, way):
    done = _import(trial, way, steps.source(trial, way))
    done.source.forget_capsules()
    return done.refusal is None


def _import(trial, way, source):
    keywords = {}
    if way.get("copy", "absent") != "absent":
        keywords["copy"] = steps.COPY[way.get("copy", "absent")]
    keywords.update(steps.device(trial, way))
    before = source.handed_out
    done = _made(trial, way, source, keywords)
    if done.refusal and keywords and source.handed_out == before:
        return _made(trial, way, source, {})  # without the keywords, which it does not know
    return done


def _made(trial, way, source, keywords):
    if way.get("thread", "same") == "same":
        return Import(trial, source, **keywords)
    made = []
    threads.together(lambda: made.append(Import(trial, source, **keywords)))
    return made[0] if made else Import(trial, source, **keywords)


def _judge_shown(trial, way, done):
    """Elements and dtype. False when what follows cannot be judged by them."""
    found, reason = trial.library.imported_contents(done.array)
    if found is None:
        trial.out.unsupported(reason, *trial.out.rest())
        return False
    masking = dtypes.judge_dtype(trial, done.array, found)
    if found == trial.order.bytes:
        trial.out.pass_(SHOWN, *_rules_of_level(way), *_rules_of_layout(trial))
        return True
    if masking or trial.out.is_violated("dtype.no-silent-reinterpret"):
        trial.out.blocked("by the dtype of the import", *trial.out.rest())
    elif trial.order.readonly and any(held != trial.order.bytes for held in done.source.contents()):
        trial.out.blocked("by flags.read-only-not-written", *trial.out.rest())
    else:
        rule = _rule_of_wrong_elements(trial, way)
        importing.judge_elements(trial, found, rule)
        trial.out.blocked(f"by {rule}", *trial.out.rest())
    done.drop()
    return False


# The rules that are reported for wrong elements because of a level; of two that are both needed, the first.
_OF_LEVEL = {
    ("place", "byte_offset"): "tensor.byte-offset-honoured",
    ("strides", "null"): NULL,
}


def _rules_of_level(way):
    return [rule for (factor, level), rule in _OF_LEVEL.items() if way.get(factor, "") == level]


def _rule_of_wrong_elements(trial, way):
    """That of the level without which they are right, else that of the layout."""
    for (factor, _), rule in _OF_LEVEL.items():
        levels = {name: level for name, level in way.levels.items() if name != factor}
        if rule in _rules_of_level(way) and _is_right(trial, Path(levels, way.order)):
            return rule
    plain = trial.again(nearest.plainest(trial.order))
    if not _is_right(plain, Path(way.levels, plain.order)):
        return SHOWN
    strides = trial.order.strides or ()
    if 0 in trial.order.shape:
        return "tensor.strides-empty-ignored"
    if any(stride < 0 < extent - 1 for stride, extent in zip(strides, trial.order.shape)):
        return "tensor.strides-negative-ok"
    without_offset = trial.again(values.changed(trial.order, offset=0))
    levels = {name: level for name, level in way.levels.items() if name != "place"}
    if trial.order.offset and _is_right(without_offset, Path(levels, without_offset.order)):
        return "tensor.byte-offset-honoured"
    if 0 in strides:
        return "tensor.strides-zero-ok"
    if _is_strided(trial.order):
        return SHOWN  # with the offset and without it
    return "tensor.byte-offset-honoured" if trial.order.offset else "tensor.strides-extent1-ignored"


def _is_strided(order):
    """False when nothing but the strides of axes of one element keeps the array from being compact."""
    compact = elements.row_major(order.shape)
    strides = order.strides or compact
    return 1 not in order.shape or any(s != c for s, c, extent in zip(strides, compact, order.shape) if extent != 1)


def _is_right(trial, way):
    done = Import(trial, steps.source(trial, way))
    return done.refusal is not None or trial.library.imported_contents(done.array)[0] == trial.order.bytes


def _rules_of_layout(trial):
    return [rule for rule in trial.out.rest() if rule.startswith("tensor.") and rule not in (WRITTEN, NULL)]


def _judge_onward(trial, way, done):
    """The import, exported again: judged as far as nothing keeps what exports of imports hold."""
    if trial.out.is_violated("dtype.no-silent-reinterpret") or 0 in trial.order.shape:
        return
    made = None if trial.library.exports_hold else reading.exported(trial, done.array)
    if made is None or made.facts["data"] is None:
        return
    onward.judge_again(trial, done, made)
    is_read_only = trial.order.readonly or way.get("flags", "none") == "read-only"
    is_read_only = is_read_only and not _is_copied(done.source)  # a copy may be written
    if is_read_only and way.get("struct", "1.3") != "legacy" and made.generation == "versioned":
        judge_propagated(trial, done.source, made)


def _is_copied(source):
    return isinstance(source, CopyingSource) and any(each.get("copy") for each in source.asked)


def _judge_copy(trial, way, done):
    if way.get("copy", "absent") != "true" or not any(each.get("copy") for each in done.source.asked):
        return
    if 0 in trial.order.shape or trial.order.readonly or way.get("flags", "none") != "none":
        return
    if isinstance(done.source, CopyingSource) and is_shared(trial, done):
        observed = "with copy=True the import has the source's own memory"
        trial.out.violated(FORWARDED, observed, "memory of its own, or an exception")
    trial.out.pass_(FORWARDED)


# --- the release


def _judge_release(trial, way, held, kept):
    level = way.get("release", "same-thread")
    if level == "thread":
        threads.together(held.drop)
    elif level == "in-flight":
        _drop_in_flight(trial, held)
    held.drop()
    while kept:
        kept.pop().drop()
    importing.judge_releases(trial, held.source)
    importing.judge_pointer(trial, held.source)


def _drop_in_flight(trial, held):
    box = [held.array]
    held.drop()
    attempt(trial.native.drop_in_flight, box)


# --- what simpler cases report

_ORDINARY = ("tensor.", "dtype.", "capsule.", "managed.", "flags.")
_BY_LEVEL = {  # a level -> the rules that ordinary variants judge with it alone, on the plainest array
    "struct": _ORDINARY,
    "copy": (FORWARDED, "tensor.", "dtype.", ONCE),
    "place": ("tensor.",),
    "flags": ("flags.",),
    "after": ("managed.keep-all-in-slice", ONCE),
}


def _is_told(levels, is_plain, rule):
    """True when an ordinary variant judges this rule with these levels alone."""
    if not levels:
        return is_plain or rule.startswith(("tensor.", "dtype.", "capsule.", ONCE, EARLY)) and rule != WRITTEN
    if is_plain and levels.get("strides") == "null" and set(levels) == {"struct", "strides"}:
        return True
    if set(levels) <= {"struct", "place"} and rule.startswith("tensor."):
        return True
    if not is_plain or len(levels) > 1:
        return False
    (factor,) = levels
    return rule.startswith(_BY_LEVEL.get(factor, "no rule"))


_JUDGE = Judge(_act, nearest.plainest, _is_told)
