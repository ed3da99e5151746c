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


def alive(trial):
    """Exports of other arrays; the last one is of a compact array of as many elements on as many axes, or None."""
    order = values.reversed_extents(trial.order)
    array, misfit = attempt(trial.library.make, order)
    reversed_ = None if misfit else attempt(Export, trial.again(order), array, {"max_version": NEWEST})[0]
    return [*crowd(trial), reversed_]


def judge_reversed(trial, made):
    """What is remembered of the first of two arrays of as many elements is wrong for the other."""
    order = values.reversed_extents(trial.order)
    if made is None or not made.generation or made.facts["shape"] != order.shape:
        return
    other = trial.again(order)
    shown = attempt(trial.native.contents, made.capsule)[0] if judging.is_readable(other, made) else None
    if shown not in (None, order.bytes):
        observed = f"of an array with the extents in reversed order: {wording.of_bytes(shown, order.bytes)}"
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
