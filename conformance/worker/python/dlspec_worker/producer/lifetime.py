"""Producers: who releases what, how often, and what happens to the source."""

import gc
import sys

from dlspec_worker.exports import judging, structs
from dlspec_worker.exports.contents import judge_contents
from dlspec_worker.exports.exporting import Export, newest_unless_refused
from dlspec_worker.facts import wording
from dlspec_worker.facts.dlpack import NEWEST, NOBODY
from dlspec_worker.observing import memory
from dlspec_worker.observing.leaks import goes_with_the_next
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import settle

CYCLES = 16


@variant("producer", "consumed")
def consumed(trial):
    """Python specification, Implementation: a consumer renames the capsule, and later calls the deleter itself."""
    array = trial.library.make(trial.order)
    _judge_used_capsule(trial, newest_unless_refused(trial, array))
    _judge_balance(trial, array, _consume)


def _judge_used_capsule(trial, made):
    rule = "capsule.destructor-noop-when-used"
    watch = trial.native.watch(made.capsule)
    if made.facts["null_deleter"]:
        trial.out.not_applicable(rule, "managed.deleter-once")
        return
    generation, address = trial.native.locate(made.capsule)
    watch.take()
    before = memory.peek(address, structs.SIZE[generation])
    made.drop()
    gc.collect()
    calls = watch.calls
    if calls or memory.peek(address, structs.SIZE[generation]) != before:
        did = "called the deleter" if calls else "altered the struct, or gave its memory back"
        trial.out.violated(rule, f"dropping the used capsule {did}", "nothing: its consumer releases it")
        trial.out.blocked(f"by {rule}", *trial.out.rest())
        return
    trial.out.pass_(rule)
    watch.release()
    if watch.calls == 1:
        trial.out.pass_("managed.deleter-once")


def _consume(native, capsule):
    """What a consumer does, from the consumption of the capsule to the release."""
    watch = native.watch(capsule)
    watch.take()
    del capsule
    watch.release()


def _judge_balance(trial, array, use):
    """managed.owner-balanced: after as many releases as exports, no reference to the source is left or lost."""
    is_left = newest_unless_refused(trial, array).facts["null_deleter"]  # so that nothing is to be waited for
    drift = _drift(trial, array, use, patient=not is_left)
    if drift >= CYCLES and is_left:
        observed = f"deleter is NULL, and {CYCLES} exports left {drift} references to the array"
        trial.out.info("managed.owner-balanced", observed, "memory that needs no release", "null-deleter-owner")
        return
    _judge_drift(trial, drift)


def _judge_drift(trial, drift):
    rule = "managed.owner-balanced"
    if drift >= CYCLES:
        trial.out.violated(rule, f"{CYCLES} exports and releases left {drift} references to the array", "none")
    elif drift <= -CYCLES:
        trial.out.violated(rule, f"{CYCLES} exports and releases took away {-drift} references to the array", "none")
    trial.out.pass_(rule)


def _drift(trial, array, use, patient=True):
    """How many references CYCLES exports left; none, and an info, when later exports release them."""

    def act():
        use(trial.native, newest_unless_refused(trial, array).capsule)

    def held():
        return sys.getrefcount(array)

    # The first round may fill caches.
    for _ in range(2):
        act()
    gc.collect()
    before = held()
    for _ in range(CYCLES):
        act()
    settle(lambda: held() <= before, None if patient else 0)
    drift = held() - before
    if drift < CYCLES or not goes_with_the_next(act, held, before):
        return drift
    observed = "what the exports held went with later exports"
    trial.out.info("managed.owner-balanced", observed, "none, after each release", "released-late")
    return 0


@variant("producer", "unconsumed")
def unconsumed(trial):
    """Python specification, Implementation: the capsule's destructor releases a tensor that was not consumed."""
    rule = "capsule.destructor-present"
    array = trial.library.make(trial.order)
    made = newest_unless_refused(trial, array)
    if made.facts["null_deleter"]:
        trial.out.not_applicable(rule)
        _judge_balance(trial, array, _leave)
        return
    if newest_unless_refused(trial, array).capsule is made.capsule:
        trial.out.blocked("by capsule.fresh-per-call", *trial.out.rest())
        return
    calls = _destructor_calls(trial, made)
    if calls == 1:
        trial.out.pass_(rule)
    if calls in (0, 1):
        _judge_unconsumed_balance(trial, array, calls)
    else:
        trial.out.blocked(f"by {rule}", "managed.owner-balanced")


def _leave(native, capsule):
    """Leaves the capsule unconsumed."""


def _judge_unconsumed_balance(trial, array, calls):
    rule = "capsule.destructor-present"
    drift = _drift(trial, array, _leave)
    if calls == 0 and drift >= CYCLES > _drift(trial, array, _consume):
        # The deleter releases what it should; the destructor does nothing.
        observed = f"{CYCLES} capsules that nobody consumed left {drift} references to the array"
        trial.out.violated(rule, observed, "a release by the capsule's destructor")
        trial.out.blocked(f"by {rule}", "managed.owner-balanced")
        return
    _judge_drift(trial, drift)
    if abs(drift) >= CYCLES:
        trial.out.blocked("by managed.owner-balanced", rule)
    observed = "the capsule's destructor did not call the struct's deleter; whether it releases cannot be seen"
    trial.out.info(rule, observed, "a release by the capsule's destructor", "unseen-release")


def _destructor_calls(trial, made):
    """How often the destructor of an unconsumed capsule calls the deleter; None when there is no deleter."""
    rule = "capsule.destructor-present"
    if not made.facts["has_destructor"]:
        trial.out.violated(rule, "the capsule has no destructor", "a destructor that releases what nobody consumed")
        return None
    watch = trial.native.watch(made.capsule)
    made.drop()
    settle(lambda: watch.calls > 0, seconds=0)
    if watch.calls > 1:
        observed = f"dropping the unconsumed capsule called the deleter {_times(watch.calls)}"
        trial.out.violated(rule, observed, "one call, by the capsule's destructor")
    return watch.calls


def _times(count):
    return "twice" if count == 2 else f"{count} times"


@variant("producer", "two-exports")
def two_exports(trial):
    """Python specification, Implementation: a capsule is consumed once, so each call gives a new one."""
    array = trial.library.make(trial.order)
    first, second = newest_unless_refused(trial, array), newest_unless_refused(trial, array)
    if first.capsule is second.capsule:
        observed = "two calls of __dlpack__ returned one capsule"
        trial.out.violated("capsule.fresh-per-call", observed, "a new capsule from every call")
        trial.out.blocked("by capsule.fresh-per-call", *trial.out.rest())
        return
    trial.out.pass_("capsule.fresh-per-call")
    if not judging.is_as_described(trial, first) or not judging.shows_elements(trial, second):
        return
    # The older one is released first, then the younger one; the other must survive each time.
    first.drop()
    gc.collect()
    _judge_survivor(trial, second)
    newest_unless_refused(trial, array).drop()
    gc.collect()
    _judge_survivor(trial, second)
    trial.out.pass_("managed.exports-independent")


def _judge_survivor(trial, survivor):
    found, misfit = attempt(trial.native.contents, survivor.capsule)
    if misfit is None and found != trial.order.bytes:
        observed = f"after the release of one export the other shows {wording.of_bytes(found, trial.order.bytes)}"
        trial.out.violated("managed.exports-independent", observed, "the contents of the source array")


@variant("producer", "source-dropped")
def source_dropped(trial):
    """dlpack.h, DLManagedTensor: the export keeps its owner alive until the release."""
    array = trial.library.make(trial.order)
    made, younger = newest_unless_refused(trial, array), newest_unless_refused(trial, array)
    newest_unless_refused(trial, array).drop()
    gc.collect()
    if not (judging.shows_elements(trial, made) and judging.shows_elements(trial, younger)):
        return
    del array
    gc.collect()
    # The allocator is likely to reuse memory here that was freed too early, with other contents.
    other = trial.order.__class__(**{**vars(trial.order), "bytes": trial.order.bytes[::-1]})
    crowd = [attempt(trial.library.make, other)[0] for _ in range(16)]
    if trial.native.look(made.capsule)["text"] == made.facts["text"]:
        judge_contents(trial, made.capsule, "managed.borrow")
    trial.out.blocked("by tensor.metadata-lifetime", "managed.borrow")
    # Each export keeps the owner alive on its own, also the last one.
    made.drop()
    gc.collect()
    crowd += [attempt(trial.library.make, other)[0] for _ in range(16)]
    if trial.out.is_passed("managed.borrow"):
        judge_contents(trial, younger.capsule, "managed.borrow")
    del crowd


@variant("producer", "no-effect")
def no_effect(trial):
    """Python specification, Semantics: an export leaves the source as usable as before."""
    rule = "python.no-effect-on-source"
    array = trial.library.make(trial.order)
    writable = trial.library.is_written(array, trial.order.bytes)
    made = newest_unless_refused(trial, array)
    for moment in ("while the export lives", "after its release"):
        held = trial.library.contents_or_none(array)
        if held is not None and held != trial.order.bytes:
            observed = f"{moment} the array holds {wording.of_bytes(held, trial.order.bytes)}"
            trial.out.violated(rule, observed, "unchanged contents")
        if writable and not trial.library.is_written(array, trial.order.bytes):
            trial.out.violated(rule, f"{moment} the array cannot be written", "an array as usable as before")
        made.drop()
        gc.collect()
    _judge_place(trial, array, rule)
    trial.out.pass_(rule)


def _judge_place(trial, array, rule):
    """A copy, or a refusal, leaves the array where it is: exports share its memory before and afterwards."""
    earlier = [Export(trial, array, {"max_version": NEWEST}) for _ in range(2)]
    if earlier[0].generation is None or not earlier[0].facts["data"]:
        return
    if earlier[0].first_element() != earlier[1].first_element():
        return  # it is copied for every export
    for keywords in ({"copy": True}, {"dl_device": NOBODY}):  # python.dl-device-own is about its own
        attempt(Export, trial, array, {"max_version": NEWEST, **keywords})
    later = Export(trial, array, {"max_version": NEWEST})
    if later.generation is not None and later.first_element() != earlier[0].first_element():
        observed = "after copy=True and a refusal another export leads to other memory than those that still live"
        trial.out.violated(rule, observed, "the memory of the array, as before")
