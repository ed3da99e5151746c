"""Consumers: imports on many threads, races for one capsule, and a deleter that waits for another thread."""

import functools
import threading

from dlspec_worker.facts.dlpack import CPU
from dlspec_worker.imports import importing
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.offers import make_offer
from dlspec_worker.imports.source import Replay, Source, goes_with_the_next
from dlspec_worker.trial import threads
from dlspec_worker.trial.variants import variant

ROUNDS = 20
RACES = 10


@variant("consumer", "many-threads")
def many_threads(trial):
    """dlpack.h, deleter: called once for each export, whichever threads import it and drop it."""
    rule = "managed.deleter-once"
    if not importing.works_alone(trial):
        return
    sources = [Source(trial) for _ in range(threads.COUNT)]
    taken = threads.together(*[lambda source=source: _import_many(trial, source) for source in sources])
    shown = [found for found, _ in taken if found is not None for found in found[1]]
    arrays = [result[0][0] if result and result[0] else [] for result in taken]
    # Each thread drops what its neighbour imported.
    threads.together(*[arrays[(place + 1) % len(arrays)].clear for place in range(len(arrays))])
    del taken
    for source in sources:
        source.wait_for_release()
    if any(source.live for source in sources):
        goes_with_the_next(trial, lambda: not any(source.live for source in sources))
    handed, calls = (sum(getattr(source, name) for source in sources) for name in ("handed_out", "deleter_calls"))
    if calls != handed or any(source.live for source in sources):
        fewer = "fewer" if calls < handed else "more"
        observed = f"imports and releases on {threads.COUNT} threads: {fewer} deleter calls than capsules handed out"
        trial.out.violated(rule, observed, importing.ONCE)
    elif any(found not in (None, trial.order.bytes) for found in shown):
        trial.out.violated(rule, f"imports on {threads.COUNT} threads show other elements", "those that were offered")
    trial.out.pass_(rule)


def _import_many(trial, source):
    arrays, shown = [], []
    for _ in range(ROUNDS):
        array, refusal = trial.library.from_dlpack(source)
        source.forget_capsules()
        if refusal is None:
            shown.append(trial.library.imported_contents(array)[0])
            arrays.append(array)
    return arrays, shown


class Meeting:
    """Gives one capsule to several importers, and lets none continue before all have it.

    A lock that admits one importer at a time makes the others wait; the wait is short, and skipped in later rounds.
    """

    def __init__(self, capsule, takers, patience):
        self._capsule = capsule
        self._gate = threading.Barrier(takers)
        self._patience = patience
        self.failed = False

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        try:
            self._gate.wait(self._patience)
        except threading.BrokenBarrierError:  # an importer calls twice, or not at all
            self.failed = True
        return self._capsule

    def __dlpack_device__(self):
        return CPU


@variant("consumer", "race")
def race(trial):
    """numpy/numpy#28881: one capsule is consumed once, on whatever threads the importers run.

    Under the GIL this only catches a library that releases it between checking the name and renaming.
    """
    rule = "capsule.race"
    if not importing.works_alone(trial):
        return
    if _takes_twice(trial):
        trial.out.blocked("by capsule.single-consumption", rule)
        return
    patience = 0.3  # seconds
    for _ in range(RACES):
        offer = make_offer(trial, "versioned" if _asks_versioned(trial) else "legacy")
        meeting = Meeting(offer.capsule(), threads.COUNT, patience)
        results = threads.together(*[functools.partial(_imported, trial, meeting)] * threads.COUNT)
        winners = sum(result is not None and result[0] is not None for result in results)
        patience = 0.001 if meeting.failed else patience
        del results, meeting
        importing.collect()
        if winners > 1 or offer.repeated_calls:
            observed = f"several of {threads.COUNT} imports of one capsule at the same time succeeded"
            trial.out.violated(rule, observed, "one; the others find a capsule that is used")
            break
    trial.out.pass_(rule)


def _imported(trial, source):
    return trial.library.from_dlpack(source)[0]


def _asks_versioned(trial):
    source = Source(trial)
    Import(trial, source)
    return any((asked["max_version"] or (0,))[0] >= 1 for asked in source.asked)


def _takes_twice(trial):
    capsule = make_offer(trial, "versioned" if _asks_versioned(trial) else "legacy").capsule()
    first = trial.library.from_dlpack(Replay(capsule))[0]
    second, refusal = trial.library.from_dlpack(Replay(capsule))
    return first is not None and refusal is None and second is not None


@variant("consumer", "deleter-meets")
def deleter_meets(trial):
    """dmlc/dlpack#103: a deleter may wait for a thread that uses the same library.

    The deleter of this case lets another thread import and release a tensor, and waits for it.
    """
    rule = "managed.deleter-noop-safe-gil"
    if not importing.works_alone(trial):
        return
    meeting = _InDeleter(trial)
    importing.import_and_drop(trial, meeting.wait)
    if meeting.met is False:
        observed = "while the deleter ran, another thread could not import a tensor and let go of it"
        trial.out.violated(rule, observed, "no lock that others wait for, held around the call")
    elif meeting.met is None:
        trial.out.unsupported("the deleter was not called", rule)
    trial.out.pass_(rule)


class _InDeleter:
    """The deleter: it imports on another thread, and records whether that thread finished."""

    PATIENCE = 1.0  # seconds; an import that is not blocked takes less than 0.005

    def __init__(self, trial):
        self._trial = trial
        self.met = None

    def wait(self):
        done = threading.Event()
        threading.Thread(target=self._import, args=(done,), daemon=True).start()
        self.met = done.wait(self.PATIENCE)

    def _import(self, done):
        array, _ = self._trial.library.from_dlpack(Source(self._trial))
        del array
        done.set()
