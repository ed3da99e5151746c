"""Views that an array has by its own methods, as any user makes them, and views of those."""

import itertools

from dlspec_worker.facts.dlpack import IS_COPIED
from dlspec_worker.imports import reading
from dlspec_worker.trial.attempts import attempt

WAYS = {
    "array[1:]": lambda array: array[1:],
    "array[:, ::2]": lambda array: array[:, ::2],
    "array[...]": lambda array: array[...],
    "array.T": lambda array: array.T,
    "array.reshape": lambda array: array.reshape(12),
    "array[1, 2]": lambda array: array[1, 2],
    "array[1, 2, ...]": lambda array: array[1, 2, ...],
    # Of the library's own making alone: Python copies an object by its attributes, whatever they own.
    "copy.copy(array)": lambda array: type(array).__copy__(array),
}


def without_flag(trial, array, flag):
    """The words of a view of a view whose export lacks the flag, though either step alone keeps it; or None."""
    memory = _memory_of(reading.exported(trial, array))

    def keeps(view):
        return _keeps(trial, view, memory, flag)

    steps = {words: way for words, way in WAYS.items() if keeps(attempt(way, array)[0])}
    for (first, one), (second, two) in itertools.product(steps.items(), repeat=2):
        if keeps(attempt(lambda: two(one(array)))[0]) is False:
            return f"{second.replace('array', first)}"
    return None


def _keeps(trial, view, memory, flag):
    """Whether the view's export has the flag; None of what is exported elsewhere, or without flags."""
    made = None if view is None else reading.exported(trial, view)
    if made is None or made.generation != "versioned" or made.is_flagged(IS_COPIED):
        return None
    return made.is_flagged(flag) if made.first_element() in memory else None


def _memory_of(made):
    """The addresses of an export's elements."""
    if made is None or made.first_element() is None or None in (made.facts["shape"], made.facts["strides"]):
        return range(0)
    _, bits, lanes = made.facts["dtype"]
    size = bits * lanes // 8
    steps = [(extent - 1) * step * size for extent, step in zip(made.facts["shape"], made.facts["strides"])]
    first = made.first_element()
    return range(first + sum(min(step, 0) for step in steps), first + sum(max(step, 0) for step in steps) + size)
