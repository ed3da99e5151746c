"""Several threads that start together."""

import threading

from dlspec_worker.trial.attempts import attempt

COUNT = 8
DEADLINE = 5.0  # seconds for all of them


def together(*acts):
    """Runs each act on a thread of its own, all at once. Returns (value, None) or (None, Refusal), in order.

    None stands for an act that did not end in time.
    """
    results = [None] * len(acts)
    gate = threading.Barrier(len(acts))

    def run(place, act):
        attempt(gate.wait, DEADLINE)
        results[place] = attempt(act)

    threads = [threading.Thread(target=run, args=each, daemon=True) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    return results
