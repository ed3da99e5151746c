"""A stimulus in other circumstances: the function of an ordinary variant, carried out with an array of another kind, on
another thread, or after something else has happened.
"""

import copy

from dlspec_worker.trial import variants
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.threads import Home


class Surrounded:
    """The library as a stimulus meets it. What is found out about the library is told the library itself."""

    def __init__(self, library, **replaced):
        vars(self).update(_library=library, **replaced)

    def __getattr__(self, name):
        return getattr(vars(self)["_library"], name)

    def __setattr__(self, name, value):
        setattr(vars(self)["_library"], name, value)


def carry_out(role, trial, way, surround, use):
    """surround(trial, way): prepares a trial that this stimulus alone has; raises Unsupported where it cannot.
    use(trial): has the library do something else, which leaves nothing.
    """
    function = variants.find(role, way.get("stimulus", "exchange"))
    for brief in (True, False) if way.get("stimulus", "").startswith("many-") else (False,):
        inner = copy.copy(trial)
        inner.variant, inner.brief = way.get("stimulus", "exchange"), brief
        inner.out = trial.out.fresh()
        try:
            surround(inner, way)
            _run(lambda: function(inner), way, lambda: use(trial))
        except BaseException:
            trial.out.take_over(inner.out)  # what was found until then
            raise
        if not inner.out.deviations():
            break  # what is only information is left to the ordinary case of the stimulus
    trial.out.take_over(inner.out)


def _run(act, way, use):
    if way.get("thread", "same") == "same":
        act()
    elif not Home(use).run_beside(act):
        raise Unsupported("it did not end in time on another thread")
