"""A stimulus in other circumstances: the function of an ordinary variant, carried out with an array of another kind, on
another thread, or after something else has happened.
"""

import copy

from dlspec_worker.trial import threads, variants
from dlspec_worker.trial.outcomes import Unsupported


class Surrounded:
    """The library as a stimulus meets it. What is found out about the library is told the library itself."""

    def __init__(self, library, **replaced):
        vars(self).update(_library=library, **replaced)

    def __getattr__(self, name):
        return getattr(vars(self)["_library"], name)

    def __setattr__(self, name, value):
        setattr(vars(self)["_library"], name, value)


def carry_out(role, trial, way, surround):
    """surround(trial, way): prepares a trial that this stimulus alone has; raises Unsupported where it cannot."""
    function = variants.find(role, way.get("stimulus", "exchange"))
    for brief in (True, False) if way.get("stimulus", "").startswith("many-") else (False,):
        inner = copy.copy(trial)
        inner.variant, inner.brief = way.get("stimulus", "exchange"), brief
        inner.out = trial.out.fresh()
        try:
            surround(inner, way)
            _run(lambda: function(inner), way.get("thread", "same") == "other")
        except BaseException:
            trial.out.take_over(inner.out)  # what was found until then
            raise
        if inner.out.is_good():
            break
    trial.out.take_over(inner.out)


def _run(act, on_another_thread):
    if on_another_thread:
        _on_another_thread(act)
    else:
        act()


def _on_another_thread(act):
    raised = []
    ended = threads.together(lambda: _keeping(raised, act))[0]
    if raised:
        raise raised[0]
    if ended is None:
        raise Unsupported("it did not end in time on another thread")


def _keeping(raised, act):
    try:
        act()
    except BaseException as error:  # of dlspec: raised again on the thread that waits
        raised.append(error)
