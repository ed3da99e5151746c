"""Producers: sequences of steps with exports of a library's arrays."""

from dlspec_worker.sequence import cases
from dlspec_worker.trial.variants import variant


@variant("producer", "sequence=1", "sequence=2", "sequence=3")
def sequences(trial):
    """dlpack.h, DLManagedTensor: an export is its own until it is released, whatever happens beside it."""
    cases.judge(trial)
