"""Arrays in other states that the adapter gives: conjugated, negated, not computed yet."""

from dlspec_worker.trial.attempts import attempt


def right_states(trial, array):
    """name -> array, of the states that show the ordered elements.

    Reading an array may end its state, as where nothing was computed yet: those that are given have not been read.
    """
    shows = {name: _shows_order(trial, each) for name, each in trial.library.states(array).items()}
    fresh = trial.library.states(array) if any(shows.values()) else {}
    return {name: each for name, each in fresh.items() if shows.get(name)}


def _shows_order(trial, array):
    shown, misfit = attempt(trial.library.contents_or_none, array)
    return misfit is None and shown == trial.order.bytes
