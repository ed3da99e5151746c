"""Growth over many rounds that a second trial shows again: tables of a library may grow once by themselves."""

from dlspec_worker.observing.leaks import Growth


def left_behind(native, act, references_to=None):
    """The Growth of two trials in turn, or None where one of them shows none that stays. `act` as for Growth."""
    growth = None
    for _ in range(2):
        growth = Growth(native, act, references_to)
        if not growth.lost_references and (not growth.words() or growth.is_gone()):
            return None
    return growth
