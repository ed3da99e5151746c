"""Several threads that start together, and one beside the thread on which everything else happens."""

import contextlib
import queue
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


class Home:
    """The thread that waits for an act on another one, and uses the library meanwhile when it is asked to.

    A library may leave what is released elsewhere until it is next used on the thread that it belongs to.
    """

    waiting = None  # the Home that waits now, or None

    def __init__(self, use):
        self._use, self._ident = use, threading.get_ident()
        self._asked, self._used = queue.SimpleQueue(), queue.SimpleQueue()

    def run_beside(self, act):
        """False where the act did not end in time; the exception of one that raised is raised."""
        raised = []
        thread = threading.Thread(target=self._keeping, args=(raised, act), daemon=True)
        Home.waiting = self
        thread.start()
        ended = self._serve()
        Home.waiting = None
        if raised:
            raise raised[0]
        return ended

    def _keeping(self, raised, act):
        try:
            act()
        except BaseException as error:  # of dlspec
            raised.append(error)
        self._asked.put(False)

    def _serve(self):
        """Until the act has ended, or DEADLINE seconds passed in which it asked for nothing."""
        with contextlib.suppress(queue.Empty):
            while self._asked.get(timeout=DEADLINE):
                attempt(self._use)
                self._used.put(True)
            return True
        return False

    def visit(self):
        """Called on the other thread: has the library used at home."""
        if threading.get_ident() == self._ident:
            return
        self._asked.put(True)
        with contextlib.suppress(queue.Empty):
            self._used.get(timeout=DEADLINE)
