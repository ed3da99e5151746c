"""The release of an export on a path, and the owners that it leaves."""

import gc
import sys

from dlspec_worker.exports import structs
from dlspec_worker.exports.exporting import Export
from dlspec_worker.observing import memory
from dlspec_worker.observing.leaks import goes_with_the_next
from dlspec_worker.trial import threads
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.paths import Path
from dlspec_worker.trial.waiting import settle

BALANCED = "managed.owner-balanced"
CYCLES = 16
PATIENT_PATHS = 3
LATE_PATHS = 100  # a timer that frees four times a second takes up to 0.25 s for each

# How the deleter of a consumed capsule is called, for each level of the factor "release".
RELEASES = {
    "consumed": lambda watch: watch.release(),
    "thread": lambda watch: threads.together(watch.release),
    "no-lock": lambda watch: watch.release(gil=False, thread=True),
}


def release(trial, way, made):
    if made.facts["null_deleter"]:
        made.drop()
        return
    if not made.facts["has_destructor"]:
        trial.out.violated(
            "capsule.destructor-present", "the capsule has no destructor", "one that releases the tensor"
        )
    watch, misfit = attempt(trial.native.watch, made.capsule)
    if misfit:
        made.drop()
        return
    level = way.get("release", "consumed")
    if level == "capsule":
        made.drop()
        settle(lambda: watch.calls > 0, seconds=0)
        if watch.calls > 1:
            observed = f"dropping the unconsumed capsule called the deleter {watch.calls} times"
            trial.out.violated("capsule.destructor-present", observed, "one call, by the capsule's destructor")
        return
    generation, address = trial.native.locate(made.capsule)
    watch.take()
    if level == "in-flight":
        _release_in_flight(trial, made, watch)
        return
    before = memory.peek(address, structs.SIZE[generation])
    made.drop()
    if watch.calls or memory.peek(address, structs.SIZE[generation]) != before:
        did = "called the deleter" if watch.calls else "altered the struct, or gave its memory back"
        observed = f"dropping the used capsule {did}"
        trial.out.violated("capsule.destructor-noop-when-used", observed, "nothing: its consumer releases it")
        return
    trial.out.pass_("capsule.destructor-noop-when-used")
    attempt(RELEASES[level], watch)


def _release_in_flight(trial, made, watch):
    box, compiled = [made.capsule], made.facts["compiled_destructor"]
    made.drop()
    for rule, left, is_told in (
        ("capsule.destructor-keeps-exception", trial.native.drop_in_flight(box), compiled),
        ("managed.deleter-no-pyerr", attempt(watch.release, exception=True)[0], watch.compiled),
    ):
        if left in ("cleared", "replaced") and is_told:
            trial.out.violated(rule, f"the exception in flight was {left}", "the exception as it was")
        elif left == "kept":
            trial.out.pass_(rule)


def judge_balance(trial, way, source, request, references):
    """No reference to the source is left or lost: one exchange tells, and as many as CYCLES prove it."""
    gc.collect()
    if sys.getrefcount(source.array) == references:
        trial.out.pass_(BALANCED)
        return
    probe = Export(trial, source.array, request)
    if probe.generation is not None and probe.facts["null_deleter"]:
        trial.out.not_applicable(BALANCED)
        return
    level = way.get("release", "consumed")
    fails_in_flight = level == "in-flight" and _is_made_at_run_time(trial, probe)
    probe.drop()
    if fails_in_flight:
        trial.out.blocked("by managed.deleter-no-pyerr, of a callback that was made at run time", BALANCED)
        return
    if trial.library.late_paths >= LATE_PATHS:
        trial.out.unsupported("releases come late, and enough of them were waited for", BALANCED)
        return
    drift = _drift(trial, way, source, request)
    rule = BALANCED
    if drift >= CYCLES and level in ("thread", "no-lock"):
        here = Path({**way.levels, "release": "consumed"}, way.order)
        rule = BALANCED if _drift(trial, here, source, request) >= CYCLES else "managed.deleter-any-thread"
    if abs(drift) >= CYCLES:
        what = f"left {drift} references to" if drift > 0 else f"took away {-drift} references to"
        trial.out.violated(rule, f"{CYCLES} exports and releases {what} the array", "none")
    trial.out.pass_(BALANCED)


def _is_made_at_run_time(trial, made):
    """Whether the deleter is a callback of ctypes or the like, whose calls fail while an exception is in flight."""
    watch, misfit = (None, True) if made.generation is None else attempt(trial.native.watch, made.capsule)
    return misfit is None and not watch.compiled


def _drift(trial, way, source, request):
    """How many references CYCLES exports and releases leave, that later ones do not take along."""
    again = trial.again(trial.order)

    def held():
        return sys.getrefcount(source.array)

    def act():
        made = Export(trial, source.array, request)
        if made.generation is not None and not made.facts["null_deleter"]:
            release(again, way, made)

    before = held()
    for _ in range(CYCLES):
        act()
    drift = held() - before
    if drift < CYCLES or goes_with_the_next(act, held, before):
        return min(drift, CYCLES - 1)
    # Many paths leak where one does: only the first few are waited for.
    if trial.library.drifts < PATIENT_PATHS and settle(lambda: held() <= before):
        trial.library.late_paths += 1
        return 0
    trial.library.drifts += 1
    return drift
