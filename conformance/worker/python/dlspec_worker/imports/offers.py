"""What consumers are offered: dlspec's own tensors, conforming but for the fields that a case changes."""

from dlspec_worker.facts import elements
from dlspec_worker.facts.dlpack import READ_ONLY


def byte_offset(order):
    """The offset of element (0, ..., 0), but 0 where strides are negative: those layouts test strides only."""
    count = elements.count_of(order)
    negative = any(stride < 0 < extent - 1 for stride, extent in zip(order.strides or (), order.shape))
    return 0 if negative or not count else order.offset * len(order.bytes) // count


def make_offer(trial, generation, **changes):
    """dlspec's tensor as the case orders it: a conforming one, but for the fields named in `changes`."""
    order = trial.order
    fields = {
        "dtype": order.dtype,
        "shape": order.shape,
        # Never NULL by default, because DLPack 1.2 forbids that.
        "strides": elements.row_major(order.shape) if order.strides is None else order.strides,
        "byte_offset": byte_offset(order),
        "contents": order.bytes,
        "generation": generation,
        "null_data": elements.count_of(order) == 0,
    }
    if generation == "versioned":
        fields["flags"] = READ_ONLY if order.readonly else 0
    fields.update(changes)
    return trial.native.Offer(**fields)
