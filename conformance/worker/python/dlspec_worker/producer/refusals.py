"""Producers: an export that is refused keeps nothing of the array."""

import time

from dlspec_worker.exports.exporting import Export, dlpack_of
from dlspec_worker.facts.dlpack import NEWEST, NOBODY
from dlspec_worker.observing.leaks import Growth, confirmed
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

# Requests that producers refuse: each is refused late, after some of the work.
REQUESTS = (
    {"max_version": NEWEST, "dl_device": NOBODY},
    {"max_version": NEWEST, "keyword_of_nobody": None},
    {"max_version": NEWEST, "stream": -7},
    {"max_version": NEWEST},
    {},
)
NO_COPY = ({"max_version": NEWEST, "copy": False}, {"copy": False})
PATIENCE = 0.01  # seconds for one batch
ARRAYS = 150  # of one batch


@variant("producer", "refusals-kept")
def refusals_kept(trial):
    """Python specification, Semantics: an export borrows; without one nothing is borrowed."""
    rule, allowed = "managed.owner-balanced", "nothing that stays"
    array = trial.library.make(trial.order)
    tried = [request for request in REQUESTS if Export(trial, array, request).refusal]
    if any(_growth(trial, array, request).words() for request in REQUESTS if request not in tried):
        trial.out.blocked("by what exports leave behind", rule)
        return
    for request in tried:
        growth = _growth(trial, array, request)
        what = f"each refused {Export(trial, array, request).call}"
        if growth.lost_references:
            trial.out.violated(rule, f"{what} took a reference to the array away", "as many as before")
        elif growth.words():
            trial.out.violated(rule, f"{what} left {growth.words()}", allowed)
    if trial.plain is None:  # in other circumstances it is the exports that differ, not the arrays
        for what, make in _makers(trial):
            _judge_dropped(trial, rule, what, make)
    if not tried:
        trial.out.not_applicable(rule)
    trial.out.pass_(rule)


def _makers(trial):
    """What is refused for what was asked, and what cannot be shared as it is."""
    yield "array", lambda: trial.library.make(trial.order)
    if "odd" in trial.library.provides and not trial.order.readonly:
        yield "record's field", lambda: trial.library.odd("record-field", trial.order)


def _judge_dropped(trial, rule, what, make):
    """An array whose exports were refused goes as one that was never asked: a reference would keep its memory."""
    array, misfit = attempt(make)
    asked = () if misfit else (*REQUESTS, *NO_COPY)
    refused = [request for request in asked if Export(trial, array, request).refusal]
    if not refused or trial.out.is_violated(rule):
        return
    growth = _growth_of_arrays(trial, make, refused)
    if not _keeps_each(growth) or growth.is_gone() or _keeps_each(_growth_of_arrays(trial, make, ())):
        return
    # OpenCL's threads under dpnp leave 46 bytes for each array, in one try of eight.
    growth = confirmed(lambda: _growth_of_arrays(trial, make, refused), _keeps_each)
    if growth is not None:
        observed = f"each {what} that is dropped after refused exports left {growth.words()}"
        trial.out.violated(rule, observed, "as much as without the refusals: nothing")


def _keeps_each(growth):
    """True when something stays of every array: less is what exceptions and warnings leave in caches."""
    return growth.heap or growth.blocks >= 0.75


def _growth_of_arrays(trial, make, requests):
    def act(count, _):
        for _ in range(min(count, ARRAYS)):
            method = dlpack_of(trial, make())
            for request in requests:
                attempt(method, **request)
            del method
        return min(count, ARRAYS)

    return Growth(trial.native, act, brief=True)


def _growth(trial, array, request):
    return Growth(trial.native, _Rounds(dlpack_of(trial, array), request), array)


class _Rounds:
    def __init__(self, method, request):
        self._method, self._request = method, request

    def __call__(self, count, least):
        began = time.perf_counter()
        for done in range(1, count + 1):
            try:
                self._method(**self._request)
            except BaseException:
                pass
            if done >= least and time.perf_counter() - began > PATIENCE:
                break
        return done
