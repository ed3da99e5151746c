"""Producers: the exports of other arrays, and of many, that surround an export on a path."""

from dlspec_worker.exports import judging
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import values, wording
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.subject.large import OFTEN, large
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported

MANY = 8


def neighbour(trial, **keywords):
    """An export of another array, as different as the library makes them."""
    for order in values.neighbours(trial.order):
        array, misfit = attempt(trial.library.make, order)
        if misfit is None:
            return attempt(Export, trial.again(order), array, keywords)[0]
    return None


def crowd(trial):
    """Exports of other arrays in both structs: each that differs in one respect, and at last the most different one."""
    made = []
    for order in values.crowd(trial.order):
        array, misfit = attempt(trial.library.make, order)
        if misfit is None:
            other = trial.again(order)
            made += [attempt(Export, other, array, keywords)[0] for keywords in ({}, {"max_version": NEWEST})]
    return [*made, neighbour(trial), neighbour(trial, max_version=NEWEST)]


class Alive:
    """Exports of other arrays, among them one of a compact array of as many elements on as many axes.

    Whichever of the two was exported first ever: what is remembered of it is wrong for the other.
    """

    def __init__(self, trial):
        self._crowd = crowd(trial)
        self._order = values.reversed_extents(trial.order)
        self._shown = None  # other elements than were ordered, by the export of that array while it lives
        array, misfit = attempt(trial.library.make, self._order)
        if misfit is None:
            other = trial.again(self._order)
            self._made = attempt(Export, other, array, {"max_version": NEWEST})[0]
            self._look(other)

    def _look(self, trial):
        made = self._made
        is_like = made is not None and made.generation and made.facts["shape"] == self._order.shape
        shown = (
            attempt(trial.native.contents, made.capsule)[0] if is_like and judging.is_readable(trial, made) else None
        )
        self._shown = None if shown == self._order.bytes else shown

    def judge(self, trial):
        if self._shown is not None:
            observed = (
                f"of an array with the extents in reversed order: {wording.of_bytes(self._shown, self._order.bytes)}"
            )
            trial.out.wrong_value("tensor.element-address", observed, "the elements that were ordered")


def many(trial, array):
    return [Export(trial, array, {"max_version": NEWEST}) for _ in range(MANY)]


def large_one(trial):
    """An array of more than 1 MiB and its export: a library may make room for it."""
    if trial.order.dtype != "float32":
        return []
    plain = trial.again(values.plain_order(trial.order))
    try:
        plain.order = large(plain, plain.library.make, OFTEN)
    except Unsupported:
        return []
    array, misfit = attempt(plain.library.make, plain.order)
    return [] if misfit else [array, attempt(Export, plain, array, {"max_version": NEWEST})[0]]
