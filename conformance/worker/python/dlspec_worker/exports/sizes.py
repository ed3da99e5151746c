"""The size that an array states."""

from dlspec_worker.facts import elements
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported


def judge_size(trial, array, padded=False):
    """Judges `nbytes`, which the arrays of NumPy, PyTorch and others have."""
    rule = "tensor.size-formula"
    told, _ = attempt(lambda: array.nbytes)
    if not isinstance(told, int):
        raise Unsupported("the array has no nbytes")
    count = elements.count_of(trial.order)
    wanted = count if padded else len(trial.order.bytes)
    if told != wanted:
        observed = f"{count} elements of {trial.order.dtype} are told to take {told} bytes"
        trial.out.info(rule, observed, f"{wanted} bytes")
    trial.out.pass_(rule)
