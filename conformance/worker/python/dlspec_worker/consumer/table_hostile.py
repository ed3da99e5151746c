"""Consumers: tensors that no producer may make, given to the library's own exchange table."""

from dlspec_worker.consumer.hostile import hostile
from dlspec_worker.exchange_api import calls
from dlspec_worker.exchange_api.through import trial_through
from dlspec_worker.imports import importing
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant


@variant("consumer", "table-hostile")
def table_hostile(trial):
    """dlpack.h, DLTensor: what its members may hold, also for managed_tensor_to_py_object_no_sync."""
    inner = _through_table(trial)
    if inner is None:
        return
    try:
        hostile(inner)
    finally:
        for rule, answer in inner.out.complete().items():
            trial.out.repeat(rule, answer)


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
        trial.out.broken(rule, observed, "a refusal")
    trial.out.pass_(rule)


def _through_table(trial):
    """The case with a library that imports through its own table; None where there is none, which is answered."""
    done = importing.Import(trial, Source(trial))
    if done.refusal:
        importing.refused(trial, done)
        return None
    caller = calls.caller_for(trial, done.array)
    done.drop()
    return trial_through(trial, caller, trial.out.rules)
