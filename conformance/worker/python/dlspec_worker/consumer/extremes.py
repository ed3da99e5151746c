"""Consumers: imports of values that a conversion would change: zeros of both signs, subnormal numbers, NaNs."""

from dlspec_worker.consumer import copies, imports
from dlspec_worker.imports import readers
from dlspec_worker.trial.variants import variant

_ACTS = {
    "extreme-values": ("versioned", imports.ordinary),
    "extreme-values=legacy": ("legacy", imports.ordinary),
    "extreme-values=copied": ("copied", copies.copied),
}


@variant("consumer", *_ACTS)
def extreme_values(trial):
    """dlpack.h, DLTensor.data: what is imported is memory, whatever numbers it holds."""
    if not readers.reads_made(trial):
        trial.out.unsupported("contents() does not show such values of the library's own array", *trial.out.rest())
        return
    trial.variant, act = _ACTS[trial.variant]
    act(trial)
