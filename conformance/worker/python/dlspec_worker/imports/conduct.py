"""What every consumer is judged by, whatever is tried: nothing that it was offered is released twice.

And what no consumer is blamed for: releases that are still to come, because those of earlier cases come first.
"""

from dlspec_worker.imports.importing import ONCE
from dlspec_worker.trial.waiting import still_releasing

RULE = "managed.deleter-once"
MISSED = (RULE, "managed.error-releases")  # for what was never released, or twice


def watched(trial, act):
    """act(), and the rule where act does not answer it. Whether all was released is left to the cases that wait."""
    before = trial.native.repeated_releases()
    try:
        act()
    finally:
        repeated = trial.native.repeated_releases() - before
        # One deviation has one name: whatever else is wrong, or blocked by what is, may be why it is released again.
        if repeated and not trial.out.answered(RULE) and not trial.out.is_open_to_doubt():
            trial.out.violated(RULE, f"{repeated} deleter calls for what had been released", ONCE)
        elif not repeated and trial.out.is_violated(*MISSED) and still_releasing(trial.native):
            for rule in filter(trial.out.is_violated, MISSED):
                trial.out.excuse(rule, "released-late")
    trial.out.not_applicable(RULE)
