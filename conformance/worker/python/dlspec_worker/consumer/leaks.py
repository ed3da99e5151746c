"""Consumers: 10,000 imports, taken or refused, release every capsule and leave nothing behind."""

import time

from dlspec_worker.facts.dlpack import CPU, UNDEFINED_CODE
from dlspec_worker.imports import consumed_capsules, importing
from dlspec_worker.imports.importing import Import, unless_refused
from dlspec_worker.imports.offers import make_offer
from dlspec_worker.imports.source import Source, goes_with_the_next
from dlspec_worker.observing.leaks import Growth
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import goes_on, settle


class Stream:
    """A new capsule from every call, of which nothing is kept here: whatever remains is held by the consumer."""

    def __init__(self, offer):
        self._offer = offer

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self._offer.capsule()

    def __dlpack_device__(self):
        return CPU


class Rounds:
    """Imports that are dropped at once; fewer of them for a slow library."""

    PATIENCE = 0.1  # seconds for one batch

    def __init__(self, trial, offer):
        self._take = trial.library.from_dlpack
        self._source = Stream(offer)

    def __call__(self, count, least):
        began = time.perf_counter()
        for done in range(1, count + 1):
            self._take(self._source)
            if done >= least and time.perf_counter() - began > self.PATIENCE:
                break
        return done


def _judge_many(trial, rule, offer, what):
    growth = Growth(trial.native, Rounds(trial, offer))
    released = settle(lambda: offer.live_exports == 0) or goes_with_the_next(trial, lambda: offer.live_exports == 0)
    if not released and goes_on(lambda: offer.live_exports):
        trial.out.info(rule, f"of many {what} some are released later than others", importing.ONCE, "released-late")
        return True
    if offer.live_exports or offer.deleter_calls != offer.exports:
        lost, twice = offer.live_exports, offer.repeated_calls
        observed = f"of many {what} some were " + ("never released" if lost else "released twice")
        trial.out.violated(rule, observed, importing.ONCE)
        return not (lost or twice)
    if growth.blocks:
        observed = f"every one of many {what} left {growth.words()} behind"
        trial.out.info(rule, observed, "nothing that stays", "blocks-left")
    trial.out.pass_(rule)
    return True


def _judge_together(trial, rule):
    """Two imports of one array that live at the same time: each releases the export that it was made of."""
    source, arrays = Source(trial), []
    for _ in range(2):
        array, refusal = trial.library.from_dlpack(source)
        source.forget_capsules()
        if refusal:
            return
        arrays.append(array)
    del array
    arrays.clear()
    source.wait_for_release()
    if source.live and goes_on(lambda: source.live):
        return
    if source.live or source.deleter_calls != source.handed_out:
        fewer = "fewer" if source.deleter_calls < source.handed_out else "more"
        observed = f"two imports of one array, alive together: {fewer} deleter calls than capsules handed out"
        trial.out.violated(rule, observed, importing.ONCE)


@variant("consumer", "many-imports")
def many_imports(trial):
    """dlpack.h, deleter: called once for each export, however many there are, and also when they share memory."""
    done = unless_refused(trial, Import(trial, Source(trial)))
    generation = "versioned" if done.source.asked and done.source.asked[-1]["max_version"] else "legacy"
    if not consumed_capsules.Capsules(trial, done.source).renamed and not done.source.is_released():
        trial.out.blocked("by the capsule, which was not renamed", "managed.deleter-once")
        return
    done.drop()
    _judge_together(trial, "managed.deleter-once")
    _judge_many(trial, "managed.deleter-once", make_offer(trial, generation), "imports")


@variant("consumer", "many-refusals")
def many_refusals(trial):
    """dmlc/dlpack, Python specification, Implementation: a refused import leaves no tensor behind."""
    rule = "managed.error-releases"
    done = Import(trial, Source(trial, "legacy", code=UNDEFINED_CODE))
    if done.refusal is None or not done.source.handed_out:
        done.drop()
        trial.out.not_applicable(rule)
        return
    _judge_many(trial, rule, make_offer(trial, "legacy", code=UNDEFINED_CODE), "refused imports")
