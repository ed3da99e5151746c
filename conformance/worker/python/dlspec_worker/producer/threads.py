"""Producers: exports and releases on many threads at once."""

import gc
import sys

from dlspec_worker.exports import exporting, judging
from dlspec_worker.observing.leaks import goes_later
from dlspec_worker.trial import threads
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import goes_on, settle

ROUNDS = 40


@variant("producer", "many-threads")
def many_threads(trial):
    """Python specification, Implementation: deleters are called on any thread, with or without the GIL."""
    rule = "managed.deleter-any-thread"
    array = trial.library.make(trial.order)
    unexported = sys.getrefcount(array)
    first = exporting.newest_with_deleter(trial, array, rule)
    if not judging.shows_elements(trial, first, rule):
        return
    alone = _kept(array, unexported, [_rounds(trial, array, gil=True)])
    if abs(alone) >= ROUNDS:
        trial.out.blocked("by managed.owner-balanced: the same on one thread", rule)
        return
    each = [_rounds(trial, array, gil=bool(i % 2)) for i in range(threads.COUNT)]
    kept = _kept(array, unexported, each)
    if kept >= ROUNDS and goes_on(lambda: sys.getrefcount(array)):
        trial.out.info(rule, "what was released on many threads goes later", "none, as on one thread", "released-late")
    elif abs(kept) >= ROUNDS:
        what = "left" if kept > 0 else "took away"
        observed = f"exports and releases on {threads.COUNT} threads at once {what} references to the array"
        trial.out.violated(rule, observed, "none, as on one thread")
    trial.out.pass_(rule)


def _rounds(trial, array, gil):
    def act():
        for _ in range(ROUNDS):
            made = exporting.newest_export(trial, array)
            watch = trial.native.watch(made.capsule)
            watch.take()
            made.drop()
            watch.release(gil=gil)

    return act


def _kept(array, unexported, acts):
    """References to the array that were added, and that later exports do not release.

    `unexported`: how many there were before the first export. What is released late brings the number down to that.
    """

    def held():
        return sys.getrefcount(array)

    threads.together(*acts)  # what is made once for each thread
    gc.collect()
    before = held()
    threads.together(*acts)
    settle(lambda: held() <= before, seconds=0.2)
    kept = held() - before
    if kept < 0:
        return min(held() - unexported, 0)
    return 0 if kept >= ROUNDS and goes_later(acts[0], held, before) else kept
