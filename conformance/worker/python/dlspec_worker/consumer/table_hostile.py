"""Consumers: tensors that are given to the library's own exchange table, those too that no producer may make."""

import copy

from dlspec_worker.consumer.hostile import hostile
from dlspec_worker.exchange_api import calls
from dlspec_worker.exchange_api.through import ThroughLibrary, trial_through
from dlspec_worker.imports import importing
from dlspec_worker.imports.source import Source
from dlspec_worker.trial import variants
from dlspec_worker.trial.variants import variant

STEALS = "exchange.to-steals"
_OWNED = ("managed.deleter-once", "managed.not-early", "managed.no-touch-after-delete")


@variant("consumer", "table-hostile")
def table_hostile(trial):
    """dlpack.h, DLTensor: what its members may hold, also for managed_tensor_to_py_object_no_sync."""
    _judge_through_table(trial, hostile)


UNUSUAL = ("null-deleter", "null-deleter=refused", "manager_ctx=null", "strides-null=1.0")


@variant("consumer", *(f"table-{name}" for name in UNUSUAL))
def table_unusual(trial):
    """dlpack.h, both managed structs: what they may hold, also for managed_tensor_to_py_object_no_sync."""
    name = trial.variant.partition("-")[2]
    _judge_through_table(trial, variants.find("consumer", name), name)


def _judge_through_table(trial, judge, name=None):
    """The case is answered by judge(), the function of the variant of this name, with imports by the table."""
    inner = _through_table(trial)
    if inner is None:
        return
    inner.variant = name or trial.variant
    try:
        judge(inner)
    finally:
        trial.out.take_over(inner.out)


@variant("consumer", "table-major")
def table_major(trial):
    """dlpack.h 1.0, DLPackVersion: a struct of another major version is released and refused."""
    rule = "version.major-mismatch-release"
    inner = _through_table(trial)
    if inner is None:
        return
    done = importing.Import(inner, Source(inner, version=(2, 0)))
    if done.refusal is None:
        observed = "a tensor of version 2.0 was imported through the exchange table"
        trial.out.violated(rule, observed, "a refusal")
    trial.out.pass_(rule)


def _through_table(trial):
    """The case with a library that imports through its own table; None where there is none, which is answered."""
    caller = _caller(trial)
    return caller and trial_through(trial, caller, trial.out.rules)


def _caller(trial):
    done = importing.Import(trial, Source(trial))
    if done.refusal:
        importing.refused(trial, done)
        return None
    caller = calls.caller_for(trial, done.array)
    done.drop()
    return caller


def path_through_table(trial, exchange):
    """exchange(trial) with the library as it is on a path of which the imports go through its own table.

    What they break is reported under the rule on the table.
    """
    caller = _caller(trial)
    if caller is None:
        return
    inner = copy.copy(trial)
    inner.library = ThroughLibrary(trial.library, caller)
    inner.out.not_applicable(*(rule for rule in inner.out.rest() if rule.startswith(("capsule.", "python."))))
    exchange(inner)
    for rule in _OWNED:
        if trial.out.is_violated(rule):
            trial.out.repeat(STEALS, trial.out.deviations()[rule])
            trial.out.withdraw(rule, f"by {STEALS}")
    if trial.out.is_passed("managed.deleter-once"):
        trial.out.pass_(STEALS)
