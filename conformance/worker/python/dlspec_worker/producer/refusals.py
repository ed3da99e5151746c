"""Producers: an export that is refused keeps nothing of the array."""

import time

from dlspec_worker.exports.exporting import Export, dlpack_of
from dlspec_worker.facts.dlpack import NEWEST, NOBODY
from dlspec_worker.observing.leaks import Growth
from dlspec_worker.trial.variants import variant

# Requests that producers refuse: each is refused late, after some of the work.
REQUESTS = (
    {"max_version": NEWEST, "dl_device": NOBODY},
    {"max_version": NEWEST, "keyword_of_nobody": None},
    {"max_version": NEWEST, "stream": -7},
    {"max_version": NEWEST},
    {},
)
PATIENCE = 0.01  # seconds for one batch


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
            trial.out.broken(rule, f"{what} took a reference to the array away", "as many as before")
        elif growth.words():
            trial.out.broken(rule, f"{what} left {growth.words()}", allowed)
    if not tried:
        trial.out.not_applicable(rule)
    trial.out.pass_(rule)


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
