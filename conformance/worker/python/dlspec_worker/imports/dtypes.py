"""The dtype of an import."""

import struct

from dlspec_worker.facts import elements
from dlspec_worker.imports import reading
from dlspec_worker.trial.attempts import attempt


def judge_dtype(trial, array, shown):
    """dtype.no-silent-reinterpret: the import has the offered dtype, as told by its own export.

    `shown`: the elements of the import as bytes, or None. Returns the rule that is reported for such a dtype in
    place of this one, or None.
    """
    masking = reading.masking_rule(trial, array, shown)
    if masking:
        trial.out.blocked(f"by {masking}", "dtype.no-silent-reinterpret")
    else:
        _judge_by_export(trial, array, shown)
    return masking


def _judge_by_export(trial, array, shown):
    rule = "dtype.no-silent-reinterpret"
    if not trial.out.wants(rule):
        return
    if trial.library.exports_hold:
        reason = "exports of imported arrays are never released, so that none is made to tell the dtype by"
        trial.out.unsupported(reason, rule)
        return
    made = reading.exported(trial, array)
    if made is None:
        trial.out.unsupported("the imported array exports nothing to tell its dtype by", rule)
        return
    found = made.facts["dtype_name"]
    if found == trial.order.dtype or found == _own_dtype(trial) or reading.has_lanes_as_axis(trial, array):
        trial.out.pass_(rule)
    elif (
        shown == trial.order.bytes
        and not has_parts_as_axis(trial.order, made.facts)
        and elements.bits_of(found) != elements.bits_of(trial.order.dtype)
    ):
        # The import is intact; the export of it is wrong.
        trial.out.blocked("by dtype.roundtrip", rule)
    else:
        rounded = is_rounded(trial.order, found, shown)
        observed = f"{trial.order.dtype} was {'rounded to' if rounded else 'imported as'} {found}"
        trial.out.violated(rule, observed, f"{trial.order.dtype}, or a refusal", "rounded-import" if rounded else None)


# The float type of each real or complex dtype, as the module struct spells it.
_FLOATS = {"float16": "e", "float32": "f", "float64": "d", "complex64": "f", "complex128": "d"}


def is_rounded(order, dtype, shown):
    """True when `shown` are the ordered numbers in another precision."""
    alike = dtype.startswith("complex") == order.dtype.startswith("complex")
    if shown is None or not alike or not {dtype, order.dtype} <= set(_FLOATS):
        return False
    numbers = [number for (number,) in struct.iter_unpack(_FLOATS[order.dtype], order.bytes)]
    return struct.pack(f"{len(numbers)}{_FLOATS[dtype]}", *numbers) == shown


def has_parts_as_axis(order, facts):
    """True where complex numbers became pairs of real ones, along one more axis."""
    return order.dtype.startswith("complex") and facts["shape"] == (*order.shape, 2)


def _own_dtype(trial):
    # A library that exports its own arrays of this dtype under another name is judged as a producer.
    array, _ = attempt(trial.library.make, trial.order)
    made = None if array is None else reading.exported(trial, array)
    return made and made.facts["dtype_name"]
