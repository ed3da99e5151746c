"""Consumers: not a byte beside the elements, the extents and the strides is touched."""

from dlspec_worker.facts.elements import row_major
from dlspec_worker.imports import importing
from dlspec_worker.imports.importing import Import, refused
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant

ALIGNMENT = 256


@variant("consumer", "guards")
def guards(trial):
    """dlpack.h, DLTensor: shape, strides and byte_offset say where elements lie; nothing else is the consumer's.

    Pages that fault stand beside the tensor. Whoever touches them ends the worker, which says first where it was.
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
    """First where nothing is near: who shows other elements there strays for a reason that another case tells.

    Then the last byte beside a guard, with any alignment and with the best; the first byte beside a guard.
    """
    yield {}
    yield {"placement": "end"}
    yield {"placement": "start"}
    wide = _widened(trial.order)
    if wide:
        yield {**wide, "placement": "aligned"}


def _widened(order):
    """Copies of a compact tensor, one after the other, so many that they fill whole multiples of the alignment."""
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
