"""The answer of __dlpack_device__."""

import operator

from dlspec_worker.trial.attempts import attempt


def device_numbers(answer):
    """(type, id) as two ints, or None where __dlpack_device__ answered in another form."""
    if not (isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], int)):
        return None
    kind, _ = attempt(operator.index, getattr(answer[0], "value", answer[0]))
    return None if kind is None else (kind, int(answer[1]))
