"""Arrays of more than 1 MiB, where a subject does not take too long over each element."""

import time

from dlspec_worker.facts import values
from dlspec_worker.trial.outcomes import Unsupported

SAMPLE = 1 << 14  # bytes
SLOW = 0.5  # CPU seconds for a large array: a case looks at up to ten, and a case has ten seconds


def large(trial, look):
    """The order of a large array in the layout of the case.

    look(order): makes or imports such an array and reads it. Raises Unsupported where that takes too long: adapters
    that go through their elements one by one in Python need some 50 us for each.
    """
    if trial.library.slow_when_large is None:
        trial.library.slow_when_large = _seconds(look, values.large(trial.order, SAMPLE)) > SLOW * SAMPLE / values.LARGE
    if trial.library.slow_when_large:
        raise Unsupported("make() and contents() take too long over an array of more than 1 MiB")
    return values.large(trial.order)


def _seconds(look, order):
    """The shorter of two looks, because the first may compile something."""
    taken = []
    for _ in range(2):
        started = time.process_time()
        look(order)
        taken.append(time.process_time() - started)
    return min(taken)
