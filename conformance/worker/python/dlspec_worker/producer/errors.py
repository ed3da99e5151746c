"""Producers: which arrays must be exported, and how the others are refused."""

import struct

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import Export, export, refuse_rest
from dlspec_worker.facts.dlpack import NEWEST_FIRST
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant


@variant("producer", "standard-dtype")
def standard_dtype(trial):
    """Array API 2021.12, data interchange: the standard's dtypes can be exchanged; 2022.12 adds the complex ones."""
    rule = "dtype.array-api-set"
    array = trial.library.make(trial.order)
    made = exporting.newest_export(trial, array)
    if made.refusal and trial.order.dtype.startswith("complex") and _is_of_2021(trial):
        trial.out.not_applicable(rule)
    elif (
        made.refusal and export(trial, array).refusal
    ):  # also without keywords: a library that knows none may still have the dtype
        trial.out.violated(rule, f"an array of {trial.order.dtype} is not exported: {made.refusal.text}", "an export")
    trial.out.pass_(rule)


def _is_of_2021(trial):
    """True when the keywords that are taken show the edition 2021.12, which had no complex dtypes."""
    array = _plain_array(trial)
    return array is not None and exporting.is_keyword_unknown(trial, array, "max_version")


@variant("producer", "refusal")
def refusal(trial):
    """Array API 2022.12, __dlpack__, Raises: BufferError where the data cannot be exported."""
    rule = "python.export-buffererror"
    array = trial.library.make(trial.order)
    if exporting.is_keyword_unknown(trial, array, "max_version"):
        trial.out.not_applicable(rule)  # the edition 2021.12 knew no such error
        return
    for keywords in NEWEST_FIRST:
        made = Export(trial, array, keywords)
        if made.refusal and not made.refusal.is_a(BufferError):
            if _is_refused_anyway(trial, keywords):
                trial.out.blocked(f"by the refusal of every array: {made.call} raised {made.refusal.text}", rule)
                return
            trial.out.violated(rule, f"{made.call} raised {made.refusal.text}", "an export or BufferError")
    trial.out.pass_(rule)


def _is_refused_anyway(trial, keywords):
    """True when the call does not even export a plain array: then the data is not the reason."""
    array = _plain_array(trial)
    return array is not None and Export(trial, array, keywords).refusal is not None


def _plain_array(trial):
    """An array that every library has; None when it cannot be made."""
    plain = {**vars(trial.order), "dtype": "float32", "shape": (2,), "strides": None, "offset": 0, "readonly": False}
    return attempt(trial.library.make, trial.order.__class__(**{**plain, "bytes": struct.pack("2f", 1.5, 2.5)}))[0]


@variant("producer", "read-only-legacy")
def read_only_legacy(trial):
    """NumPy, PyTorch: a struct without flags cannot say that its data may not be written."""
    rule = "flags.read-only-legacy-refused"
    array = trial.library.make(trial.order)
    if trial.library.is_written(array, trial.order.bytes):
        trial.out.unsupported("the array that was ordered read-only can be written", rule)
        return
    made = export(trial, array)
    if made.refusal:
        if made.refusal.is_a(BufferError):
            trial.out.pass_(rule)
        refuse_rest(trial, made)
    elif made.generation == "versioned":
        trial.out.blocked("by python.max-version-none-legacy", rule)
    elif not made.first_element():
        trial.out.blocked("by tensor.data-nonnull-nonempty", rule)  # nothing that could be written was exported
    elif export(trial, array).first_element() == made.first_element():
        # Both exports are alive: equal addresses are the same memory, that of the array.
        observed = "the memory of a read-only array went out in a capsule that cannot say so"
        trial.out.violated(rule, observed, "BufferError, or a copy")
    else:
        trial.out.pass_(rule)
