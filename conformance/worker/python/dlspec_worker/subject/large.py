"""Arrays of more than 1 MiB, where a subject does not take too long over each element."""

import time

from dlspec_worker.facts import values
from dlspec_worker.trial.outcomes import Unsupported

SAMPLES = 1 << 13, 1 << 16  # bytes; the larger one shows what the elements cost, beside what every array costs
# CPU seconds that one look at a large array may take. A case has ten seconds of the clock: one that is judged once
# looks less than ten times, a path whose deviation is explained a hundred times.
ONCE, OFTEN = 0.5, 0.08  # PyTorch, whose adapter makes lists of numbers, takes 0.03 to 0.06


def large(trial, look, most):
    """The order of a large array in the layout of the case.

    look(order): makes or imports such an array and reads it. Raises Unsupported where that takes longer than `most`:
    adapters that go through their elements one by one in Python need 1 to 50 us for each.
    """
    if trial.library.seconds_when_large is None:
        trial.library.seconds_when_large = _seconds_of_a_large_one(trial, look)
    if trial.library.seconds_when_large > most:
        raise Unsupported("make() and contents() take too long over an array of more than 1 MiB")
    return values.large(trial.order)


def _seconds_of_a_large_one(trial, look):
    small, larger = (_seconds(look, values.large(trial.order, size)) for size in SAMPLES)
    return (larger - small) * values.LARGE / (SAMPLES[1] - SAMPLES[0])


def _seconds(look, order):
    """The shortest of five looks: the first may compile something, and threads of the library may spin in others."""
    taken = []
    for _ in range(5):
        started = time.process_time()
        look(order)
        taken.append(time.process_time() - started)
    return min(taken)
