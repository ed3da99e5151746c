"""Producers: dtypes of equal size that are easily confused."""

import struct

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import refuse_rest
from dlspec_worker.exports.judging import is_readable
from dlspec_worker.facts.dlpack import FP8
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

TRUTHFUL = "dtype.truthful"
PAIRS = frozenset(("complex32", "bcomplex32"))


@variant("producer", "fp8")
def fp8(trial):
    """dlpack.h 1.1, DLDataTypeCode: one enumerator for each 8-bit float."""
    rule = "dtype.fp8-variants-distinct"
    _judge_named(trial, rule, FP8)


@variant("producer", "complex32")
def complex32(trial):
    """dmlc/dlpack#184: (kDLComplex, 32) for two of binary16; for two of bfloat16 there is another code."""
    _judge_named(trial, "dtype.complex32-is-fp16-pair", PAIRS)


def _judge_named(trial, rule, alike):
    made = exporting.newest_export(trial, trial.library.make(trial.order))
    if made.refusal:
        refuse_rest(trial, made)
    elif made.generation is None:
        trial.out.blocked("by the struct, which cannot be followed", *trial.out.rest())
    elif made.facts["dtype_name"] in alike and made.facts["dtype_name"] != trial.order.dtype:
        trial.out.broken(rule, f"{trial.order.dtype} goes out as {made.facts['dtype_name']}", trial.order.dtype)
        trial.out.blocked(f"by {rule}", TRUTHFUL)
    elif made.facts["dtype_name"] != trial.order.dtype:
        trial.out.broken(TRUTHFUL, f"{trial.order.dtype} goes out as {made.facts['dtype_name']}", trial.order.dtype)
        trial.out.blocked(f"by {TRUTHFUL}", rule)
    elif not is_readable(trial, made):
        trial.out.blocked("by the struct, which cannot be followed", *trial.out.rest())
    else:
        trial.out.pass_(TRUTHFUL)
        _judge_bytes(trial, made, rule)


def _judge_bytes(trial, made, rule):
    found, _ = attempt(trial.native.contents, made.capsule)
    if found == trial.order.bytes:
        trial.out.pass_(rule)
    elif trial.order.dtype == "complex32" and found in [brain_pairs(trial.order.bytes, up) for up in (0, 0x8000)]:
        trial.out.broken(rule, "the numbers are there, in pairs of bfloat16", "pairs of binary16")
    else:
        trial.out.blocked("by tensor.element-address", rule)


def brain_pairs(halves, rounding):
    """Numbers of binary16 as bfloat16, truncated or rounded."""
    numbers = [number for (number,) in struct.iter_unpack("=e", halves)]
    words = [struct.unpack("=I", struct.pack("=f", number))[0] + rounding >> 16 for number in numbers]
    return struct.pack(f"={len(words)}H", *words)
