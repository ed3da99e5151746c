"""Producers: dtypes of equal size that are easily confused."""

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import refuse_rest
from dlspec_worker.exports.judging import is_readable, take
from dlspec_worker.facts import elements
from dlspec_worker.facts.dlpack import FP8, HALF_PAIRS
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

TRUTHFUL = "dtype.truthful"


@variant("producer", "fp8")
def fp8(trial):
    """dlpack.h 1.1, DLDataTypeCode: one enumerator for each 8-bit float."""
    rule = "dtype.fp8-variants-distinct"
    _judge_named(trial, rule, FP8)


@variant("producer", "complex32")
def complex32(trial):
    """dmlc/dlpack#184: (kDLComplex, 32) for two of binary16; for two of bfloat16 there is another code."""
    _judge_named(trial, "dtype.complex32-is-fp16-pair", HALF_PAIRS)


def _judge_named(trial, rule, alike):
    made = exporting.newest_export(trial, trial.library.make(trial.order))
    if made.refusal:
        refuse_rest(trial, made)
        return
    if made.generation is None:
        trial.out.blocked("by the struct, which cannot be followed", *trial.out.rest())
        return
    named = made.facts["dtype_name"]
    if named in alike and named != trial.order.dtype:
        trial.out.violated(rule, f"{trial.order.dtype} goes out as {named}", trial.order.dtype)
        trial.out.blocked(f"by {rule}", TRUTHFUL)
    elif not _is_truthful(trial, made):
        trial.out.blocked(f"by {TRUTHFUL}", rule)
    elif not is_readable(trial, made):
        trial.out.blocked("by the struct, which cannot be followed", rule)
    else:
        _judge_bytes(trial, made, rule)


def _is_truthful(trial, made):
    """Judges dtype.truthful, unless the version, code, bits or lanes are wrong in themselves."""
    origin = {"dtype": trial.order.dtype, "shape": trial.order.shape}
    outcomes = trial.native.judge(made.capsule, [TRUTHFUL], origin)["outcomes"]
    take(trial, made, outcomes)
    return outcomes[TRUTHFUL]["outcome"] == "pass"


def _judge_bytes(trial, made, rule):
    found, _ = attempt(trial.native.contents, made.capsule)
    if found == trial.order.bytes:
        trial.out.pass_(rule)
    elif elements.are_brain_pairs(trial.order, found):
        trial.out.violated(rule, "the numbers are there, in pairs of bfloat16", "pairs of binary16")
    else:
        trial.out.blocked("by tensor.element-address", rule)
