"""Growth over many rounds of one act: references, Python objects, bytes of the C heap."""

import gc
import sys

from dlspec_worker.trial.waiting import settle

WARM_UP = 1000
BATCHES = 3
BATCH = 3000  # 10,000 rounds with the warm-up
LEAST = 200  # for a slow library
FEW = 400  # a batch where each round is dear
BLOCK = 32  # bytes; the smallest that malloc gives. Over FEW rounds the arenas of threads under load grow by less.
OFTEN = 4  # bytes for each of many rounds: one struct in sixteen. Threads of a library may leave 2 (dpnp).
PATIENCE_FOR_GROWTH = 0.5  # seconds; a case looks at three kinds of export, and has ten
AGAIN = 2  # times that a suspicion is measured again
FEW_MORE = 128  # rounds after which a library that batches releases has done so once


def goes_with_the_next(act, left, before):
    """True when more rounds bring what `left()` counts back to `before`: a library may batch its releases."""
    for _ in range(FEW_MORE):
        act()
        if left() <= before:
            return True
    return False


def goes_later(act, left, before):
    """As goes_with_the_next, or in the time that a late release is waited for: a library may free by a timer."""
    return goes_with_the_next(act, left, before) or settle(lambda: left() <= before)


def confirmed(measure, keeps):
    """The last of some more measurements where each keeps; else None: it was a timer's phase, or another thread."""
    for _ in range(AGAIN):
        growth = measure()
        if not keeps(growth):
            return None
    return growth


class Growth:
    """The growth in each batch of rounds. Steady growth is a leak; a cache fills up once."""

    def __init__(self, native, act, references_to=None, brief=False):
        """`act(count, least)` does up to `count` rounds, at least `least`, and returns their number."""
        self._native = native
        self._held = references_to
        warm_up, batch = (min(WARM_UP, FEW), min(BATCH, FEW)) if brief else (WARM_UP, BATCH)
        self._least_bytes = BLOCK if brief else OFTEN
        self._references_before = self._references()
        act(warm_up, min(warm_up, LEAST))
        self.rounds = []
        self.growths = []
        self._first = last = self._measure()
        for _ in range(BATCHES):
            self.rounds.append(act(batch, min(batch, LEAST)))
            now = self._measure()
            self.growths.append(tuple(after - before for before, after in zip(last, now)))
            last = now

    def _references(self):
        return sys.getrefcount(self._held) if self._held is not None else 0

    def _measure(self):
        gc.collect()
        return self._references(), sys.getallocatedblocks(), self._native.heap_bytes()

    def _steady(self, kind, least_each, sign=1, least=20):
        """The growth per round, when every batch reaches `least_each` per round and `least` in all; else 0."""
        grown = [sign * growth[kind] for growth in self.growths]
        if all(now >= max(least, rounds * least_each) for now, rounds in zip(grown, self.rounds)):
            return min(now / rounds for now, rounds in zip(grown, self.rounds))
        return 0

    @property
    def references(self):
        return self._steady(0, 0.02)

    @property
    def lost_references(self):
        """Not those that a thread of a busy machine gives back rounds later: they were taken by rounds before."""
        lost = self._references() < self._references_before
        return self._steady(0, 0.02, sign=-1) if lost else 0

    @property
    def blocks(self):
        return self._steady(1, 0.1)

    @property
    def heap(self):
        return self._steady(2, self._least_bytes, least=4096)

    def is_gone(self):
        """True when it goes while that is waited for."""
        return settle(self.has_gone, PATIENCE_FOR_GROWTH)

    def has_gone(self):
        """True when most of what grew went by itself: it was late, not left.

        Of memory that is asked only where nothing else grew: the tables in which objects waited keep theirs.
        """
        grown = [kind for kind, rate in enumerate((self.references, self.blocks)) if rate] or [2]
        left = [now - first for first, now in zip(self._first, self._measure())]
        return all(left[kind] <= sum(growth[kind] for growth in self.growths) / 2 for kind in grown)

    def words(self):
        """The growth per round as a text, or ""."""
        if self.references:
            return _count(self.references, "reference")
        if self.blocks:
            return _count(self.blocks, "Python object")
        return _count(self.heap, "byte") + " of memory" if self.heap else ""


def _count(number, noun):
    """Rounded, so that two runs say the same."""
    if number < 0.75:
        return f"now and then a {noun}"
    whole = round(number)
    return f"{whole} {noun}" + ("" if whole == 1 else "s")
