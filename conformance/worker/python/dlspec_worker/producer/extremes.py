"""Producers: exports of values that a conversion would change: zeros of both signs, subnormal numbers, NaNs."""

from dlspec_worker.producer.copies import copied
from dlspec_worker.producer.structs import newest, plain
from dlspec_worker.trial.variants import variant

_ACTS = {"extreme-values": newest, "extreme-values=plain": plain, "extreme-values=copied": copied}


@variant("producer", *_ACTS)
def extreme_values(trial):
    """dlpack.h, DLTensor.data: what is exported is memory, whatever numbers it holds."""
    shown = trial.library.contents_or_none(trial.library.make(trial.order))
    if shown != trial.order.bytes:
        reason = "make() does not keep such values, or contents() does not show them"
        trial.out.unsupported(reason, *trial.out.rest())
        return
    _ACTS[trial.variant](trial)
