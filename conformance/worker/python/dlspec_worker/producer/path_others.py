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
    """Exports of other arrays, among them lookalikes: compact arrays of as many elements.

    Whichever of them was exported first ever: what is remembered of it is wrong for the others.
    """

    def __init__(self, trial):
        self._crowd = crowd(trial)
        self._wrong = None  # (rule, observed), of a lookalike while its export lives
        self._made = [self._look(trial, order, words) for order, words in values.lookalikes(trial.order)]

    def _look(self, trial, order, words):
        array, misfit = attempt(trial.library.make, order)
        if misfit is not None:
            return None
        other = trial.again(order)
        made = attempt(Export, other, array, {"max_version": NEWEST})[0]
        if made is None or not made.generation or self._wrong is not None:
            return made
        if made.facts["shape"] not in (None, order.shape):  # None: a struct that cannot be followed
            observed = f"of an array {words}: {wording.of_repr(made.facts['shape'])} for {wording.of_repr(order.shape)}"
            self._wrong = "tensor.shape-truthful", observed
        elif judging.is_readable(other, made):
            shown = attempt(trial.native.contents, made.capsule)[0]
            if shown is not None and shown != order.bytes:
                observed = f"of an array {words}: {wording.of_bytes(shown, order.bytes)}"
                self._wrong = "tensor.element-address", observed
        return made

    def judge(self, trial):
        if self._wrong is not None:
            rule, observed = self._wrong
            trial.out.wrong_value(rule, observed, "the array that was ordered")


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
