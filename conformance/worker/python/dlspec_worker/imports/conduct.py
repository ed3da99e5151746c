"""What every consumer is judged by, whatever is tried: nothing that it was offered is released twice."""

from dlspec_worker.imports.importing import ONCE

RULE = "managed.deleter-once"


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
    trial.out.not_applicable(RULE)
