"""Consumers: no byte outside the elements, the extents and the strides is touched."""

import math

from dlspec_worker.facts.elements import row_major
from dlspec_worker.imports import importing
from dlspec_worker.imports.importing import Import, refused
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant

ALIGNMENT = 256
LENGTHS = (1, 2, 3, 5, 6, 7, 9, 11)


@variant("consumer", "guards")
def guards(trial):
    """dlpack.h, DLTensor: shape, strides and byte_offset say where elements lie; other memory is off limits.

    Guard pages stand beside the tensor. A consumer that touches them kills the worker, which first reports where.
    """
    done = []
    for fields in _places(trial):
        done.append(_import(trial, **fields))
        if trial.out.answered("tensor.element-address"):
            return
    if all(each.refusal for each in done):
        refused(trial, done[0])
    trial.out.pass_("tensor.element-address")


def _places(trial):
    """First far from any guard: wrong elements there have a cause that another case reports.

    Then with the last byte next to a guard, with the first byte next to one, so compact vectors, and aligned to 256
    bytes.
    """
    yield {}
    yield {"placement": "end"}
    yield {"placement": "start"}
    for shorter in _shortened(trial.order):
        yield {**shorter, "placement": "end"}
        yield {**shorter, "placement": "start"}
    wide = _widened(trial.order)
    if wide:
        yield {**wide, "placement": "aligned"}


def _shortened(order):
    """Of a compact matrix the first elements: their size is no multiple of a word or a vector register."""
    if order.strides is not None or order.offset or len(order.shape) != 2 or not order.bytes:
        return
    count = math.prod(order.shape)
    item = len(order.bytes) // count
    for length in filter(lambda each: each <= count, LENGTHS):
        yield {"shape": (length,), "strides": (1,), "contents": order.bytes[: length * item], "byte_offset": 0}


def _widened(order):
    """A compact tensor repeated until its size is a multiple of the alignment."""
    size = len(order.bytes)
    if order.strides is not None or not size:
        return None
    count = next(count for count in range(1, ALIGNMENT + 1) if count * size % ALIGNMENT == 0)
    shape = (count, *order.shape)
    return {"shape": shape, "strides": row_major(shape), "contents": order.bytes * count, "byte_offset": 0}


def _import(trial, **fields):
    wanted = fields.get("contents", trial.order.bytes)
    source = Source(trial, **fields)
    done = Import(trial, source)
    if done.refusal is None:
        found, _ = trial.library.imported_contents(done.array)
        if found not in (None, wanted):
            trial.out.blocked("by the elements of an ordinary import", *trial.out.rest())
    source.forget_capsules()
    done.drop()
    importing.collect()
    return done
