"""What sequences leave behind: sources that stay alive, and exports that an import never released.

A library may keep something for a while, or until the next call. Only what piles up over many repetitions of one
sequence, and does not go when it is waited for, is reported.
"""

import gc
import weakref

from dlspec_worker.sequence.findings import Finding
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.waiting import settle, still_releasing

CYCLES = 16
MOST_SUSPICIONS = 3  # that turned out to be caches; then they are not followed any more in this worker


class Left:
    """Something that should be gone after a sequence."""

    def __init__(self, rule, was_exported, is_left):
        self.rule, self.was_exported, self.is_left = rule, was_exported, is_left

    @classmethod
    def of_array(cls, array):
        reference, misfit = attempt(weakref.ref, array.made)
        is_left = (lambda: False) if misfit else (lambda: reference() is not None)
        return cls("managed.owner-balanced", lambda: array.was_exported and not array.is_kept, is_left)

    @classmethod
    def of_loan(cls, ledger, export):
        number = export.number
        return cls("managed.deleter-once", lambda: True, lambda: ledger.calls(number) == 0)


TEXTS = {
    "managed.owner-balanced": "the source is still alive after everything was released",
    "managed.deleter-once": "an export was not released after its import was dropped",
}


def judge(subject, carrying, again):
    """A Finding, or None. again(): carries the same sequence out once more, and returns its Carrying."""
    rule = _left(carrying)
    if rule is None or subject.suspicions >= MOST_SUSPICIONS:
        return None
    gc.collect()
    rule = _left(carrying)
    if rule is None:
        return None
    if rule == "managed.owner-balanced" and _keeps_what_it_makes(subject, carrying):
        subject.suspicions = MOST_SUSPICIONS
        return None
    more = [again() for _ in range(CYCLES)]
    settle(lambda: _count(more, rule) < CYCLES)
    if _count(more, rule) < CYCLES or (rule == "managed.deleter-once" and still_releasing(subject.native)):
        subject.suspicions += 1
        return None
    return Finding(rule, f"{TEXTS[rule]}, in {CYCLES} of {CYCLES} repetitions")


def _keeps_what_it_makes(subject, carrying):
    """Whether the library's arrays live on although nobody exported them."""
    made = [attempt(subject.library.make, carrying.order)[0] for _ in range(CYCLES)]
    left = [reference for reference, misfit in (attempt(weakref.ref, array) for array in made) if misfit is None]
    made.clear()
    settle(lambda: not any(reference() is not None for reference in left), seconds=0)
    return sum(reference() is not None for reference in left) > CYCLES // 2


def _left(carrying):
    return next((left.rule for left in carrying.left if left.is_left()), None)


def _count(more, rule):
    return sum(any(left.rule == rule and left.is_left() for left in each.left) for each in more)
