"""Producers: does an export lead to the memory of its array, or to a copy?"""

from dlspec_worker.exports import judging
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import dlpack, elements, values
from dlspec_worker.facts.dlpack import READ_ONLY
from dlspec_worker.trial.attempts import attempt


def other_contents(order):
    """The ordered elements, rotated by one place."""
    item = elements.bits_of(order.dtype) // 8
    return order.bytes[item:] + order.bytes[:item]


def shares_memory(trial, array, made):
    """True when the export leads to the memory of the source, None when nothing tells."""
    plain = Export(trial, array, without_copy(made))
    # Both exports are alive: equal addresses are the same memory.
    if plain.generation and plain.first_element() == made.first_element():
        return True

    def shown():
        return trial.library.contents_or_none(array)

    told = _told_by_writing(trial, made, shown)
    if told or (told is False and _told_by_writing(trial, plain, shown)):
        return told  # False only where contents() follows the memory: it may keep what it has read once
    # Two live exports at two addresses cannot both be the array: each is a copy, unless exports map it anew.
    again = Export(trial, array, made.keywords)
    is_elsewhere = again.generation and again.first_element() != made.first_element()
    return False if is_elsewhere and not _maps_anew(trial) else None


def _maps_anew(trial):
    """True of a library whose exports lead to the same memory at several addresses; tried once for each."""
    library = trial.library
    if library.maps_anew is None:
        plain = trial.again(values.plain_order(trial.order))
        array, misfit = attempt(library.make, plain.order)
        made = [] if misfit else [Export(plain, array, {"max_version": dlpack.NEWEST}) for _ in range(2)]
        library.maps_anew = len(made) == 2 and _is_one_memory(plain, *made)
    return library.maps_anew


def _is_one_memory(trial, first, second):
    if not second.generation or not judging.is_readable(trial, second):
        return False
    if first.generation and first.first_element() == second.first_element():
        return False
    return _told_by_writing(trial, first, lambda: attempt(trial.native.contents, second.capsule)[0]) is True


def without_copy(made):
    """The keywords of a call, but for `copy`."""
    return {name: value for name, value in made.keywords.items() if name != "copy"}


def _told_by_writing(trial, made, shown):
    """Whether `shown()` gives what is written into the export meanwhile; None when that cannot be tried."""
    if made.generation is None or not judging.is_readable(trial, made):
        return None
    if trial.order.readonly or made.is_flagged(READ_ONLY):
        return None
    data = other_contents(trial.order)
    before, misfit = attempt(trial.native.contents, made.capsule)
    if (
        misfit
        or before != trial.order.bytes
        or data == before
        or attempt(trial.native.overwrite, made.capsule, data)[1]
    ):
        return None  # write only where the array's elements are
    seen = shown()
    trial.native.overwrite(made.capsule, before)
    return None if seen is None else seen == data
