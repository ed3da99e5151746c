"""Producers: deleters and destructors in unusual circumstances, and what must live until they run."""

import gc
import sys

from dlspec_worker.exports import exporting, judging
from dlspec_worker.exports.exporting import Export, export, newest_unless_refused, unless_refused
from dlspec_worker.facts import dlpack, elements, wording
from dlspec_worker.facts.dlpack import IS_COPIED, READ_ONLY
from dlspec_worker.observing.leaks import goes_later
from dlspec_worker.trial.attempts import attempt, unraisable
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import goes_on, settle

CYCLES = 16


@variant("producer", "other-thread")
def other_thread(trial):
    """Python specification, Implementation: the deleter may be called on any thread, without the GIL."""
    rule = "managed.deleter-any-thread"
    array = trial.library.make(trial.order)
    exporting.newest_with_deleter(trial, array, rule)
    kept = _kept(trial, array, gil=False, thread=True)
    if kept < CYCLES:
        trial.out.pass_(rule)
    elif _kept(trial, array) >= CYCLES:
        trial.out.blocked("by managed.owner-balanced: the same on the exporting thread", rule)
    elif goes_on(lambda: sys.getrefcount(array)):
        trial.out.info(
            rule, "what was released on another thread goes later", "none, as on the exporting thread", "released-late"
        )
    else:
        observed = f"{CYCLES} releases on another thread left {kept} references to the array"
        trial.out.violated(rule, observed, "none, as on the exporting thread")


def _kept(trial, array, **where):
    """References to the array that remain after CYCLES released exports, and that later exports do not release."""

    def act():
        made = newest_unless_refused(trial, array)
        watch = trial.native.watch(made.capsule)
        watch.take()
        made.drop()
        watch.release(**where)

    def held():
        return sys.getrefcount(array)

    for count in (2, CYCLES):
        gc.collect()
        before = held()
        for _ in range(count):
            act()
    settle(lambda: held() <= before, seconds=0.2)
    kept = held() - before
    return 0 if kept >= CYCLES and goes_later(act, held, before) else kept


@variant("producer", "exception-in-flight")
def exception_in_flight(trial):
    """dmlc/dlpack#141: a consumer may drop a tensor while an exception is in flight."""
    array = trial.library.make(trial.order)
    raises, deleter_compiled = _judge_deleter(trial, array)
    rule = "capsule.destructor-keeps-exception"
    for used in (True, False):
        made = newest_unless_refused(trial, array)
        watch = trial.native.watch(made.capsule) if used else None
        if used:
            watch.take()
        box = [made.capsule]
        compiled = made.facts["compiled_destructor"] and (used or deleter_compiled)
        made.drop()
        left = trial.native.drop_in_flight(box)
        if left == "kept":
            continue
        if not used and raises:
            trial.out.blocked(f"by {raises}", rule)
        else:
            spoken = "consumed" if used else "unconsumed"
            _say_lost(trial, rule, f"dropping the {spoken} capsule {left} the exception in flight", compiled)
    trial.out.pass_(rule)


def _say_lost(trial, rule, observed, compiled):
    if compiled:
        trial.out.violated(rule, observed, "the exception as it was")
    else:
        observed += ", as every callback does that ctypes or its like makes at run time"
        allowed = "the exception as it was: a callback that is written in C can keep it"
        trial.out.info(rule, observed, allowed, "runtime-callback")


def _judge_deleter(trial, array):
    """The rule that is violated by a deleter that disturbs an exception, or None; and whether it was compiled."""
    rule = "managed.deleter-no-pyerr"
    for flight, alone in ((False, False), (True, False), (False, True)):
        made = newest_unless_refused(trial, trial.library.make(trial.order) if alone else array)
        if made.facts["null_deleter"]:
            trial.out.not_applicable(rule)
            return None, True
        watch = trial.native.watch(made.capsule)
        watch.take()
        (left, raised), lost = unraisable(attempt, watch.release, exception=flight)
        if lost and not flight:
            trial.out.blocked("by managed.deleter-nothrow", rule)
            return "managed.deleter-nothrow", True
        # The capsule's destructor and exceptions are the subject of another rule.
        box = [made.capsule]
        made.drop()
        trial.native.drop_in_flight(box)
        if raised:
            when = " of the last owner" if alone else ""
            trial.out.violated(rule, f"the deleter{when} left an exception pending: {raised.text}", "no exception")
        elif flight and left != "kept":
            _say_lost(trial, rule, f"the deleter {left} the exception in flight", watch.compiled)
    trial.out.pass_(rule)
    return rule if trial.out.is_violated(rule) else None, watch.compiled


@variant("producer", "looked-at-later")
def looked_at_later(trial):
    """dlpack.h, DLManagedTensor; Python specification, Implementation: name, shape, strides live until the release."""
    array = trial.library.make(trial.order)
    made = newest_unless_refused(trial, array)
    before = made.facts
    del array
    gc.collect()
    # The allocator is likely to reuse memory here that was freed too early.
    crowd = [bytes([i % 251]) * size for i in range(500) for size in (9, 19, 24, 32)]
    crowd.append([attempt(trial.library.make, trial.order)[0] for _ in range(16)])
    # Arrays of another shape, in the memory of those that are gone.
    crowd.append([attempt(trial.library.make, elements.of_twelve(trial.order))[0] for _ in range(16)])
    after, misfit = attempt(trial.native.look, made.capsule)
    if misfit or after["name"] != before["name"]:
        observed = "the capsule has another name after the array has gone"
        trial.out.violated("capsule.names-static", observed, "a name of static storage")
        trial.out.blocked("by capsule.names-static", *trial.out.rest())
    elif after["text"] != before["text"]:
        said = wording.of_struct(after["text"])
        observed = f"after the array has gone the struct says {said} in place of {before['text']}"
        trial.out.violated("tensor.metadata-lifetime", observed, "the same description until the release")
    trial.out.pass_("capsule.names-static", "tensor.metadata-lifetime")
    del crowd


@variant("producer", "changed-later")
def changed_later(trial):
    """dlpack.h, DLManagedTensor: an export stays as it was described."""
    rule = "tensor.metadata-constant"
    array = trial.library.make(trial.order)
    made = newest_unless_refused(trial, array)
    before = made.facts["text"]
    for keywords in ({}, {"copy": True}, {"max_version": dlpack.NEWEST}):
        attempt(Export, trial, array, keywords)
        _judge_same(trial, made, before, "another export")
    # Many libraries allow the shape to be set in place; where one refuses, nothing is judged.
    attempt(setattr, array, "shape", tuple(reversed(trial.order.shape)))
    _judge_same(trial, made, before, "the source's shape was set in place")
    for kind in ("transpose", "reshape", "resize"):
        attempt(trial.library.mutate, array, kind)
        _judge_same(trial, made, before, f"{kind} of the source in place")
    trial.out.pass_(rule)


def _judge_same(trial, made, before, after_what):
    now = trial.native.look(made.capsule)["text"]
    if now != before:
        said = wording.of_struct(now)
        observed = f"after {after_what} the struct says {said} in place of {before}"
        trial.out.violated("tensor.metadata-constant", observed, "the description that was exported")


@variant("producer", "copy-owned")
def copy_owned(trial):
    """dlpack.h 1.0, DLPACK_FLAG_BITMASK_IS_COPIED: until its release the copy belongs to the consumer alone."""
    rule = "flags.is-copied-exclusive"
    array = trial.library.make(trial.order)
    keywords = {"copy": True, "max_version": dlpack.NEWEST}
    first = export(trial, array, **keywords)
    if first.refusal and exporting.below_edition(trial, array, "copy"):
        return
    first = unless_refused(trial, export(trial, array, **keywords))
    if not first.is_flagged(IS_COPIED):
        trial.out.not_applicable(rule)
        return
    if not judging.is_readable(trial, first):
        trial.out.blocked("by the struct, which cannot be followed", rule)
        return
    if attempt(trial.native.contents, first.capsule)[0] != trial.order.bytes:
        trial.out.blocked("by python.copy-true", rule)
        return
    if first.is_flagged(READ_ONLY):
        trial.out.blocked("by python.copy-true-mutable", rule)
        return
    shared = exporting.newest_export(trial, array)
    if shared.refusal is None and shared.first_element() == first.first_element():
        trial.out.blocked("by flags.is-copied-honest", rule)
        return
    if not judging.shows_elements(trial, first):
        return
    other = trial.order.bytes[4:] + trial.order.bytes[:4]
    if attempt(trial.native.overwrite, first.capsule, other)[1]:
        raise Unsupported("the copy cannot be written")
    second = unless_refused(trial, export(trial, array, **keywords))
    if second.first_element() == first.first_element():
        trial.out.violated(rule, "two copies that live at the same time are one piece of memory", "a copy of its own")
    elif trial.native.contents(second.capsule) != trial.order.bytes:
        trial.out.violated(rule, "a later copy shows what was written into an earlier one", "the source's elements")
    elif trial.library.is_written(array, trial.order.bytes) and trial.native.contents(first.capsule) != other:
        trial.out.violated(rule, "a write to the source changed the copy", "a copy that nobody else writes")
    trial.out.pass_(rule)
