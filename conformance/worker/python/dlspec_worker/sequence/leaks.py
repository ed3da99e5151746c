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
    """Something that should be gone after a sequence. `order`: of an array of the library."""

    def __init__(self, rule, was_exported, is_left, order=None):
        self.rule, self.was_exported, self.is_left, self.order = rule, was_exported, is_left, order

    @classmethod
    def of_array(cls, array):
        reference, misfit = attempt(weakref.ref, array.made)
        is_left = (lambda: False) if misfit else (lambda: reference() is not None)
        return cls(
            "managed.owner-balanced", lambda: array.was_exported and not array.is_kept, is_left, array.root.order
        )

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
    if subject.suspicions >= MOST_SUSPICIONS or not any(left.is_left() for left in carrying.left):
        return None
    gc.collect()
    rule = next((left.rule for left in carrying.left if _stays(subject, left)), None)
    if rule is None:
        return None
    more = [again() for _ in range(CYCLES)]
    settle(lambda: _count(subject, more, rule) < CYCLES)
    if _count(subject, more, rule) < CYCLES or (rule == "managed.deleter-once" and still_releasing(subject.native)):
        subject.suspicions += 1
        return None
    return Finding(rule, f"{TEXTS[rule]}, in {CYCLES} of {CYCLES} repetitions")


def _stays(subject, left):
    return left.is_left() and not _is_kept_anyway(subject, left)


def _is_kept_anyway(subject, left):
    """Whether the library's arrays of that order live on although nobody exported them; tried once for each order."""
    order = left.order
    if order is None:
        return False
    key = (order.dtype, order.shape, order.strides, order.offset, order.readonly)
    if key not in subject.kept:
        made = [attempt(subject.library.make, order)[0] for _ in range(CYCLES)]
        alive = [reference for reference, misfit in (attempt(weakref.ref, array) for array in made) if misfit is None]
        made.clear()
        settle(lambda: not any(reference() is not None for reference in alive), seconds=0)
        subject.kept[key] = sum(reference() is not None for reference in alive) > CYCLES // 2
    return subject.kept[key]


def _count(subject, more, rule):
    return sum(any(left.rule == rule and _stays(subject, left) for left in each.left) for each in more)
