"""One import by the library, from the question to the release: shared by the consumers' cases."""

import gc
import struct

from dlspec_worker import elements, exporting, reading, wording
from dlspec_worker.exporting import Export
from dlspec_worker.source import Replay, Source, row_major
from dlspec_worker.trial import attempt, settle

ONCE = "one call of the deleter for each capsule that was handed out"


class Import:
    """An imported array, or a refusal."""

    def __init__(self, trial, source, **keywords):
        self.source = source
        self.array, self.refusal = trial.library.from_dlpack(source, **keywords)

    def drop(self):
        self.array = None


def refused(trial, done, *rules):
    """Answers `rules`, or all that are left, as not supported. Refusing is legal; leaking is not."""
    if done.source.refused_the_question:
        reason = "it asks for no versioned capsule"
    else:
        reason = f"the import was refused: {done.refusal.text}"
    trial.out.unsupported(reason, *(rules or trial.out.rest()))


def judge_refusal_releases(trial, source):
    """managed.error-releases: after a failed import each capsule handed out is released once, by whomever.

    Either the consumer took the tensor and called the deleter, or it left the capsule alone and the capsule's
    destructor does so. What counts is the sum.
    """
    rule = "managed.error-releases"
    if source.handed_out == 0:
        trial.out.not_applicable(rule)
        return True
    source.forget_capsules()
    source.wait_for_release()
    balanced = source.is_released() and source.deleter_calls == source.handed_out
    if balanced:
        trial.out.pass_(rule)
    else:
        trial.out.broken(rule, f"after the refusal {releases(source)}", ONCE)
    return balanced


def releases(source):
    """How the deleters were called, in words."""
    return f"{source.handed_out} handed out, {source.deleter_calls} deleter calls, {source.live} not released"


def speaks_for_contents(trial):
    """The rule that wrong elements break: what the layout tries, where that is one thing, else elements in general."""
    tried = [rule for rule in trial.out.rules if rule in (
        "tensor.byte-offset-honoured", "tensor.strides-negative-ok", "tensor.strides-zero-ok",
        "tensor.strides-extent1-ignored", "tensor.strides-empty-ignored")]
    return tried[0] if len(tried) == 1 else "tensor.element-address"


def judge_elements(trial, found, rule=None):
    """True when the imported elements are those that were offered."""
    if found == trial.order.bytes:
        return True
    rule = rule or speaks_for_contents(trial)
    observed = f"the import shows other elements: {wording.of_bytes(found, trial.order.bytes)}"
    trial.out.broken(rule, observed, "the elements that the struct leads to", "fail")
    return False


def judge_dtype(trial, array, shown):
    """dtype.no-silent-reinterpret: the import has the offered dtype, by the library's own word when it exports it.

    `shown`: the elements of the import as bytes, or None.
    """
    rule = "dtype.no-silent-reinterpret"
    if not trial.out.wants(rule):
        return
    found = _exported_dtype(trial, array)
    if found is None:
        trial.out.unsupported("the imported array exports nothing to tell its dtype by", rule)
    elif found == trial.order.dtype or found == _own_dtype(trial):
        trial.out.pass_(rule)
    elif reading.has_lanes_as_axis(trial, array):
        trial.out.pass_(rule)
    elif shown == trial.order.bytes and elements.bits_of(found) != elements.bits_of(trial.order.dtype):
        # What came in is whole: it is what goes out that is something else.
        trial.out.blocked("by dtype.roundtrip", rule)
    else:
        # The same numbers, rounded, are no other numbers; but nobody asked for less precision.
        rounded = _is_rounded(trial.order, found, shown)
        observed = f"{trial.order.dtype} was {'rounded to' if rounded else 'imported as'} {found}"
        trial.out.broken(rule, observed, f"{trial.order.dtype}, or a refusal", "warn" if rounded else None)


# The floats of which complex numbers and real ones consist, as struct spells them.
_FLOATS = {"float16": "e", "float32": "f", "float64": "d", "complex64": "f", "complex128": "d"}


def _is_rounded(order, dtype, shown):
    """True when `shown` are the ordered numbers in another precision."""
    alike = dtype.startswith("complex") == order.dtype.startswith("complex")
    if shown is None or not alike or not {dtype, order.dtype} <= set(_FLOATS):
        return False
    numbers = [number for (number,) in struct.iter_unpack(_FLOATS[order.dtype], order.bytes)]
    return struct.pack(f"{len(numbers)}{_FLOATS[dtype]}", *numbers) == shown


def _exported_dtype(trial, array):
    for keywords in ({"max_version": exporting.NEWEST}, {}):
        made, _ = attempt(Export, trial, array, keywords)
        if made is not None and made.generation:
            return made.facts["dtype_name"]
    return None


def _own_dtype(trial):
    # A library that exports its own arrays of this dtype under another name is a matter of its producer.
    array, _ = attempt(trial.library.make, trial.order)
    return None if array is None else _exported_dtype(trial, array)


def imported_again(trial, capsule):
    """True when the library takes a capsule that it has consumed."""
    array, refusal = trial.library.from_dlpack(Replay(capsule))
    del array
    return refusal is None


def makes_read_only(trial):
    """True when the library has arrays that cannot be written: the case orders one."""
    return attempt(trial.library.make, trial.order)[1] is None


def collect():
    """Runs whatever still waits for the garbage collector."""
    settle(lambda: False, seconds=0)


class Capsules:
    """How the library left the capsules that it was given."""

    def __init__(self, trial, source):
        looks = [attempt(trial.native.look, capsule)[0] or {} for capsule in source.capsules]
        self.renamed = any((look.get("name") or "").startswith("used_") for look in looks)
        self.cleared = any(not look.get("has_destructor", True) for look in looks)
        self.accepted_again = False
        if not self.renamed and self.cleared and source.capsules:
            # Nobody releases it twice by dropping it; what is left is a second consumer.
            self.accepted_again = _is_taken_again(trial, source)


def _is_taken_again(trial, source):
    """True when a capsule like the last one is imported a second time, or released a second time in the attempt.

    One of its own, readable after its release: who copies has released the tensor by now.
    """
    another = source.another(poison_on_release=False)
    first = Import(trial, another)
    if first.refusal:
        return False
    before = another.deleter_calls
    return imported_again(trial, another.capsules[-1]) or another.deleter_calls > before


def judge_renamed(trial, generation, capsules, stays_whole):
    """capsule.renamed-*: by effect. Dropping the capsule releases nothing, and nobody can consume it again."""
    rule = f"capsule.renamed-{generation}"
    allowed = f'"used_{exporting.NAMES[generation]}"'
    if capsules.renamed:
        trial.out.pass_(rule)
    elif capsules.accepted_again:
        trial.out.broken(rule, "the capsule keeps its name and was consumed a second time", allowed)
    elif not stays_whole:
        trial.out.broken(rule, "the capsule keeps its name, and dropping it took the memory from the import", allowed)
    elif capsules.cleared:
        trial.out.info(rule, "the capsule keeps its name, but has lost its destructor", allowed)
    else:
        trial.out.info(rule, "the elements were copied and the capsule was left to its destructor", allowed)


def judge_whole(trial, source, generation):
    """An ordinary import: elements, dtype, capsule, and the releases."""
    done = Import(trial, source)
    if done.refusal:
        if judge_refusal_releases(trial, source):
            trial.out.not_applicable("managed.deleter-once")
        refused(trial, done)
        return
    trial.out.not_applicable("managed.error-releases")
    found, reason = trial.library.imported_contents(done.array)
    speaker = reading.other_speaker(trial, done.array, found)
    if speaker:
        trial.out.blocked(f"by {speaker}", "dtype.no-silent-reinterpret")
    else:
        judge_dtype(trial, done.array, found)
    capsules = Capsules(trial, source)
    early = source.is_released() and found is not None and found != trial.order.bytes and len(set(found)) == 1
    at_import = source.is_released()
    source.forget_capsules()
    gc.collect()
    later = trial.library.imported_contents(done.array)[0]
    if later is None:
        later = found  # reading was refused this time: nothing was seen
    if not early and found != trial.order.bytes and later != found:
        # Wrong from the first, and never twice the same: that says nothing about releases.
        trial.out.blocked("by the elements, which change by themselves", "managed.not-early")
        later = found
    judge_renamed(trial, generation, capsules, stays_whole=later == found)
    if capsules.renamed and source.is_released() and not at_import:
        trial.out.blocked("by capsule.no-release-by-consumer-capsule", "managed.not-early")
    else:
        _judge_early(trial, capsules, early or later != found)
    if found is None:
        trial.out.unsupported(reason, *_content_rules(trial))
    elif early:
        trial.out.blocked("by managed.not-early", *_content_rules(trial))
    elif speaker and found != trial.order.bytes:
        trial.out.blocked(f"by {speaker}", *_content_rules(trial))
    elif found != trial.order.bytes and trial.out.is_broken("dtype.no-silent-reinterpret"):
        trial.out.blocked("by dtype.no-silent-reinterpret", *_content_rules(trial))
    elif found == trial.order.bytes:
        trial.out.pass_(*_content_rules(trial))
    else:
        rule = _rule_of_wrong_elements(trial, generation)
        judge_elements(trial, found, rule)
        trial.out.blocked(f"by {rule}", *_content_rules(trial))
    done.drop()
    if trial.out.is_broken(f"capsule.renamed-{generation}"):
        # What was not taken over is released by the capsule as well.
        trial.out.blocked(f"by capsule.renamed-{generation}", "managed.deleter-once")
    judge_releases(trial, source)


def _rule_of_wrong_elements(trial, generation):
    """Who reads past ordinary strides as well has no trouble with zero or negative ones, but with elements at all."""
    rule = speaks_for_contents(trial)
    if rule not in ("tensor.strides-zero-ok", "tensor.strides-negative-ok"):
        return rule
    doubled = tuple(2 * stride for stride in row_major(trial.order.shape))
    done = Import(trial, Source(trial, generation, strides=doubled, byte_offset=0))
    if done.refusal or trial.library.imported_contents(done.array)[0] == trial.order.bytes:
        return rule
    return "tensor.element-address"


def _judge_early(trial, capsules, early):
    if early and capsules.renamed:
        observed = "the tensor was released while the imported array still shows its memory"
        trial.out.broken("managed.not-early", observed, "no release before the last use")
    elif early:
        trial.out.blocked("by the capsule, which was not renamed", "managed.not-early")
    trial.out.pass_("managed.not-early")


def _content_rules(trial):
    return [rule for rule in trial.out.rules if rule.startswith("tensor.")]


def judge_releases(trial, source, rule="managed.deleter-once"):
    """After the last reference is gone: one call for each capsule, no more, no fewer."""
    source.forget_capsules()
    source.wait_for_release()
    if source.is_released() and source.deleter_calls == source.handed_out:
        trial.out.pass_(rule)
        return True
    if not trial.out.answered(rule) or trial.out.is_passed(rule):
        trial.out.broken(rule, f"after the import was dropped {releases(source)}", ONCE)
    return False
