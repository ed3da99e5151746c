"""What surrounds a stimulus of a producer: where its arrays come from, and what was asked of them before."""

import copy

from dlspec_worker.exports.exporting import Export, is_keyword_unknown
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.producer import path_steps as steps
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.stimuli import Surrounded


def surround(trial, way):
    """Every array that the stimulus makes has this origin and this history."""
    library, kept = trial.library, []

    def make(order):
        return _arranged(trial, way, library.make(order), order, kept)

    trial.library = Surrounded(library, make=make, kept=kept)
    trial.request = _request(trial, way)


def _arranged(trial, way, array, order, kept):
    inner = copy.copy(trial)
    inner.order, inner.library, inner.request = order, _unsurrounded(trial), {}
    if "origin" not in way.levels and "before" not in way.levels:
        return array
    array = _of_origin(inner, way.get("origin", "made"), array)
    kept.append(steps.BEFORE[way.get("before", "nothing")](inner, array))
    _require_plain_exports(inner, array)
    return array


def _of_origin(trial, origin, array):
    """The array of this origin; what has another dtype or shape is nothing that the stimulus has ordered."""
    order = trial.order
    if origin == "state":
        found = [source.array for source in steps.in_states(trial, array) if source.order is order]
        return found[-1] if found else array  # complex arrays alone have states
    found = steps.ORIGINS[origin](trial, array)[0]
    is_ordered, trial.order = trial.order is order, order
    return found if is_ordered else array


def _require_plain_exports(trial, array):
    """What the history has changed is reported by the path of an exchange."""
    first, second = (Export(trial, array, {"max_version": NEWEST}) for _ in range(2))
    is_one = first.refusal is None and first.capsule is second.capsule
    first, second = None, None  # a release may change the array, too
    held = trial.library.contents_or_none(array)
    if is_one:
        trial.out.violated("capsule.fresh-per-call", "two exports give one capsule", "a new capsule for each call")
        raise Unsupported("two exports give one capsule")
    if held is not None and held != trial.order.bytes:
        raise Unsupported("its exports change the array")


def _unsurrounded(trial):
    return vars(trial.library)["_library"]


def _request(trial, way):
    """The keywords that calls have in addition; only where they change nothing for an ordinary export."""
    level = way.get("dl_device", "absent")
    if level == "absent":
        return {}
    array = _unsurrounded(trial).make(trial.order)
    device = None
    if level == "own":
        device, misfit = attempt(lambda: array.__dlpack_device__())
        if misfit:
            raise Unsupported(f"__dlpack_device__() raised {misfit.text}")
    if is_keyword_unknown(trial, array, "dl_device"):
        raise Unsupported("__dlpack__ does not take dl_device")
    plain = Export(trial, array, {"max_version": NEWEST})
    made = Export(trial, array, {"max_version": NEWEST, "dl_device": device})
    if made.generation is None or not steps.shows(trial, made) or made.device() != plain.device():
        raise Unsupported("it does not export with dl_device what it exports without")
    return {"dl_device": device}
