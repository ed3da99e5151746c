"""Consumers: sequences of steps with imports, their views and what they export again."""

from dlspec_worker.sequence import cases
from dlspec_worker.trial.variants import variant


@variant("consumer", "sequence=1", "sequence=2", "sequence=3")
def sequences(trial):
    """dlpack.h, DLManagedTensor: an export is its own until it is released, whatever happens beside it."""
    cases.judge(trial)
