"""Exports on a path that go through the exchange table of the array's type, and what their faults are called."""

from dlspec_worker.exchange_api import calls
from dlspec_worker.exchange_api.through import path_through
from dlspec_worker.producer import path_release
from dlspec_worker.producer.table_exports import FLAG_RULES, FLAGS, OWNING

# The rules of a table's exports: what holds for every export, too, is reported under them.
_OWNED = ("managed.borrow", "managed.exports-independent", "tensor.metadata-lifetime", path_release.BALANCED)
_OF_TABLE = {**dict.fromkeys(_OWNED, OWNING), **dict.fromkeys(FLAG_RULES, FLAGS)}
# What the function neither gives nor is asked for.
_OF_METHOD = ("capsule.", "python.", "version.legacy", "stream.")


def on_channel(trial, way):
    """The case as its exports go through the table, on such a path. Ends it where there is none."""
    if way.get("channel", "method") != "table":
        trial.out.not_applicable(OWNING, FLAGS)
        return trial
    inner = path_through(trial, calls.caller_for(trial, calls.array_of(trial)))
    inner.out.not_applicable(*(rule for rule in inner.out.rest() if rule.startswith(_OF_METHOD)))
    return inner


def rename(trial):
    """Reports what the table's exports break under the rules on the table."""
    if not trial.channel:
        return
    for rule, other in _OF_TABLE.items():
        if trial.out.is_violated(rule):
            trial.out.repeat(other, trial.out.deviations()[rule])
            trial.out.withdraw(rule, f"by {other}")
    trial.out.pass_(OWNING, FLAGS)


def is_told(is_plain, rule, of_struct):
    """True when the variants of the table judge this rule without any history."""
    return rule == FLAGS or (is_plain and rule == OWNING) or rule.startswith(of_struct)
