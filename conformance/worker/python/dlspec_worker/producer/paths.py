"""Producers: an export on every path of plan/paths.def, judged by everything that holds for any export."""

import copy
import functools
import sys

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import elements, wording
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.imports.using import use
from dlspec_worker.producer import (
    path_export,
    path_others,
    path_release,
    path_requests,
    path_table,
    path_writes,
    surroundings,
)
from dlspec_worker.producer import path_steps as steps
from dlspec_worker.producer.copies import shows_source
from dlspec_worker.producer.structs import judge_whole
from dlspec_worker.subject import nearest
from dlspec_worker.subject.large import OFTEN, large
from dlspec_worker.trial import stimuli
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.paths import Judge
from dlspec_worker.trial.variants import variant

BORROW = "managed.borrow"
INVARIANTS = (
    "tensor.metadata-constant",
    "tensor.metadata-lifetime",
    "managed.exports-independent",
    BORROW,
    path_release.BALANCED,
    "python.no-effect-on-source",
)


@variant("producer", "path")
def path(trial):
    """dlpack.h, DLTensor and both managed structs; array API 2023.12, __dlpack__: on whichever path they meet."""
    ordered = trial.order
    trial.order = nearest.choose(trial.library, ordered)
    trial.plain = trial.plain or nearest.choose_plainest(trial.library, nearest.plainest(ordered))
    _JUDGE.judge(trial)


def _act(trial, way):
    if "stimulus" in way.levels:
        stimuli.carry_out("producer", trial, way, surroundings.surround, use)
        return
    trial = copy.copy(path_table.on_channel(trial, way))  # whose order the steps may change
    if way.get("size", "small") == "large":
        trial.order = large(trial, trial.library.make, OFTEN)
    sources, ordered = _sources(trial, way), trial.order
    while sources:
        source = sources.pop()
        trial.order = source.order
        _exchange(trial, way, source, functools.partial(_made_again, trial.again(ordered), way, len(sources)))
    path_table.rename(trial)
    trial.out.not_applicable(*trial.out.rest())


def _sources(trial, way):
    """The arrays to export, to which nothing else refers: a step may drop them."""
    array = trial.library.make(trial.order)
    origin = way.get("origin", "made")
    if origin == "state":
        return steps.in_states(trial, array)
    found = steps.ORIGINS[origin](trial, array)
    return [steps.Source(each, trial.order, each is not array) for each in found]


def _made_again(trial, way, place):
    """The array at this place of _sources(), made once more; None where fewer states are right by now."""
    sources = _sources(trial, way)
    return sources[place].array if place < len(sources) else None


def _exchange(trial, way, source, made_again):
    """`made_again`: gives the array of the source, made once more."""
    others = path_others.Alive(trial) if way.get("before", "") == "other-alive" else None
    before = steps.BEFORE[way.get("before", "nothing")](trial, source.array)
    # Only the damage of those that are right can be told later.
    before = [each for each in before if each.generation is not None and steps.shows(trial, each)]
    request = path_requests.request(trial, way, source.array)
    references = sys.getrefcount(source.array)
    earlier = path_export.earlier(trial, way, source)
    made = path_export.export(trial, way, source, request)
    if not _judge_source(trial, source, "after the call"):
        trial.out.blocked("by python.no-effect-on-source", *trial.out.rest())
        return
    if made.refusal:
        path_export.judge_usable(trial, way, made, made_again)
        path_requests.judge_refusal(trial, source.array, made)
        exporting.refuse_rest(trial, made)
        return
    if any(each.capsule is made.capsule for each in before):
        trial.out.violated("capsule.fresh-per-call", "an earlier capsule was returned again", "a new capsule")
        trial.out.blocked("by capsule.fresh-per-call", *trial.out.rest())
        return
    if not _judge_export(trial, source, made):
        trial.out.blocked("by the struct or the elements of the export", *trial.out.rest())
        return
    if others:
        others.judge(trial)
    _judge_generation(trial, source, made)
    _judge_others(trial, "nothing", before)
    earlier.clear()
    _judge_meanwhile(trial, way, source, made)
    _judge_others(trial, way.get("after", "nothing"), before)
    path_release.release(trial, way, made)
    _judge_others(trial, "nothing", before)
    del others
    if source.array is not None:
        if way.get("after", "") != "reshaped":  # that is as its owner wanted
            _judge_source(trial, source, "after the release")
        path_release.judge_balance(trial, way, source, request, references)


# --- the export


def _judge_generation(trial, source, made):
    """Which struct answers which max_version."""
    asked, versioned = made.keywords.get("max_version"), made.generation == "versioned"
    if "max_version" not in made.keywords or steps.expects_versioned(asked) == versioned:
        return
    if Export(trial, source.array, made.keywords).capsule is made.capsule:
        trial.out.violated("capsule.fresh-per-call", "two calls returned one capsule", "a new capsule from every call")
    elif versioned:
        rule = "python.max-version-none-legacy" if asked is None else "python.max-version-0-legacy-or-buffererror"
        trial.out.violated(rule, f"{made.call} gave a versioned capsule", "a legacy capsule or BufferError")
    elif exporting.newest_export(trial, source.array).generation == "versioned" and asked != NEWEST:
        rule = "python.max-version-higher-ok" if asked[0] > NEWEST[0] else "python.max-version-1-versioned"
        trial.out.violated(rule, f"{made.call} gave a legacy capsule", "a versioned capsule, as for other versions")


def _judge_export(trial, source, made):
    """Struct, elements and whose memory it is. False when nothing later can be judged by them."""
    was_right = steps.shows(trial, made)
    rule = "tensor.element-address"
    if made.keywords.get("copy") and shows_source(trial, source.array):
        rule = "python.copy-true"
    copied = path_writes.is_copied(trial, source, made) if was_right else None
    if not _is_as_it_was(trial, made, was_right):
        return False
    known = {} if copied is None else {"copied": copied}
    if made.facts["strides"] != trial.order.strides and (copied or source.is_derived):
        known["strides"] = elements.row_major(trial.order.shape)  # a copy has its own
    known["read_only"] = path_writes.known_read_only(trial, source, copied)
    judge_whole(trial, source.array, made, rule, **known)
    asked = made.keywords.get("copy")
    if copied is False and asked:
        observed = f"{made.call} gave memory that it shares with the array"
        trial.out.violated("python.copy-true", observed, "a copy, or an exception")
    elif copied and asked is False:
        trial.out.violated("python.copy-false", f"{made.call} gave a copy", "the array's memory, or BufferError")
    path_requests.judge_device(trial, source.array, made, was_right)
    return was_right


def _is_as_it_was(trial, made, was_right):
    """False when the exports that were made meanwhile to compare with have changed this one."""
    if trial.native.look(made.capsule)["text"] != made.facts["text"]:
        trial.out.violated("tensor.metadata-constant", "another export changed the struct", "the same struct")
        return False
    if was_right and not steps.shows(trial, made):
        observed = "after another export was released this one shows other elements"
        trial.out.violated("managed.exports-independent", observed, "the contents of the source array")
        return False
    return True


# --- while it lives


def _judge_meanwhile(trial, way, source, made):
    level = way.get("after", "nothing")
    if level == "source-written":
        path_writes.judge_write(trial, way, source, made)
        return
    kept = steps.AFTER[level](trial, source)
    described, shown = steps.AFTER_RULES.get(level, steps.OF_OTHER_EXPORTS)
    if not _is_named_as_before(trial, made):
        return
    now = attempt(trial.native.look, made.capsule)[0]
    if now is None or now["text"] != made.facts["text"]:
        said = wording.of_struct(now and now["text"])
        observed = f"after {level} the struct says {said} in place of {made.facts['text']}"
        trial.out.violated(described, observed, "the description that was exported, until the release")
        return
    trial.out.pass_(described)
    found, misfit = attempt(trial.native.contents, made.capsule)
    if misfit is None and found != trial.order.bytes:
        trial.out.violated(shown, f"after {level} the export shows other elements", "the contents of the source array")
    trial.out.pass_(shown)
    del kept


def _is_named_as_before(trial, made):
    rule, now = "capsule.names-static", attempt(trial.native.look, made.capsule)[0]
    if now is not None and now["name"] == made.name:
        trial.out.pass_(rule)
        return True
    trial.out.violated(rule, "the capsule has another name than before", "a name of static storage")
    return False


# --- other exports, and the array itself


def _judge_others(trial, level, before):
    """Exports that were alive, and right, all the time; `level` of "after" is what has happened to them."""
    described, shown = steps.AFTER_RULES.get(level, steps.OF_OTHER_EXPORTS)
    for each in list(before):
        if _is_named_as_before(trial, each) and trial.native.look(each.capsule)["text"] == each.facts["text"]:
            if steps.shows(trial, each):
                continue
            trial.out.violated(shown, "an earlier export shows other elements", "the contents of the source array")
        elif not trial.out.is_violated("capsule.names-static"):
            trial.out.violated(described, "an earlier export changed its struct", "the same struct")
        before.remove(each)


def _judge_source(trial, source, moment):
    """True unless the array has changed."""
    rule = "python.no-effect-on-source"
    held = trial.library.contents_or_none(source.array)
    if held is not None and held != trial.order.bytes:
        trial.out.violated(rule, f"{moment} the array holds other elements", "unchanged contents")
        return False
    if held is not None:
        trial.out.pass_(rule)
    return True


# --- what simpler cases report

_OF_STRUCT = ("tensor.", "dtype.", "device.", "version.", "abi.", "flags.", "capsule.name", "capsule.pointer")
_ORDINARY = {  # levels -> the rules that ordinary variants judge there, on the plainest array
    ("before=export-alive",): ("managed.exports-independent", "capsule.fresh-per-call"),
    ("after=export",): ("tensor.metadata-constant", "managed.exports-independent"),
    ("after=export-released",): ("tensor.metadata-constant", "managed.exports-independent"),
    ("after=source-dropped",): (BORROW, "tensor.metadata-lifetime", "capsule.names-static"),
    ("release=capsule",): ("capsule.destructor-present", path_release.BALANCED),
    ("release=thread",): ("managed.deleter-any-thread",),
    ("release=no-lock",): ("managed.deleter-any-thread",),
    ("release=in-flight",): ("capsule.destructor-keeps-exception", "managed.deleter-no-pyerr"),
}
_BY_REQUEST = {  # a keyword -> what the variants that ask with it judge
    "max_version": ("python.max-version", "capsule.name"),
    "copy": ("python.copy", "flags.is-copied"),
    "dl_device": ("python.dl-device",),
}


def _is_told(levels, is_plain, rule):
    """True when an ordinary variant judges this rule with these levels alone."""
    if not levels:
        return is_plain or (rule.startswith(_OF_STRUCT) and rule not in INVARIANTS)
    if is_plain and levels.get("max_version") == "absent" and set(levels) == {"max_version", "copy"}:
        return rule.startswith(_BY_REQUEST["copy"])  # the variants of `copy` ask with and without it
    if levels == {"channel": "table"}:
        return path_table.is_told(is_plain, rule, _OF_STRUCT) and rule not in INVARIANTS
    if not is_plain or len(levels) > 1:
        return False
    ((factor, level),) = levels.items()
    if rule.startswith(_BY_REQUEST.get(factor, "no rule")):
        return True
    if (factor, level) == ("copy", "true") and rule.startswith(_OF_STRUCT) and rule not in INVARIANTS:
        return True
    return rule in _ORDINARY.get((f"{factor}={level}",), ())


_NEAREST = {**dict.fromkeys(("none", "0.0", "0.8"), "absent"), **dict.fromkeys(("1.0", "1.99", "2.0", "100.3"))}
_JUDGE = Judge(_act, nearest.plainest, _is_told, {"max_version": _NEAREST})
