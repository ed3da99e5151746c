"""Consumers: conforming tensors of both generations in all dtypes and layouts."""

import math

from dlspec_worker.facts.elements import count_of, row_major
from dlspec_worker.imports import importing, whole_imports
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.reading import Reading
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant


@variant("consumer", "versioned", "legacy")
def ordinary(trial):
    """dlpack.h, DLTensor and both managed structs; Python specification, Implementation."""
    generation = trial.variant
    if generation == "legacy":
        trial.out.not_applicable("flags.read-only-not-written")
    _judge_meaningless_strides(trial, generation)
    whole_imports.judge_whole(trial, Source(trial, generation), generation)
    if trial.out.is_passed("tensor.strides-zero-ok"):
        _judge_shared(trial, generation, "tensor.strides-zero-ok", (4,), (0,), [(1,)])
    if trial.out.is_passed("tensor.strides-negative-ok"):
        # Here, not where zero strides are judged: who ends the process at a negative stride dies under this rule.
        _judge_shared(trial, generation, "tensor.strides-negative-ok", (2, 3), (0, -1), [(3, -1), (0, 1)])
    trial.out.pass_("flags.read-only-not-written")  # a write kills the worker, which reports why


def _judge_shared(trial, generation, rule, shape, strides, without):
    """A stride of 0 beside no other, or beside a negative one; not if one of `without`, simpler strides, is misread."""
    size = len(trial.order.bytes) // count_of(trial.order)
    shared = trial.order.bytes[: size * math.prod(shape[1:])]
    changes = {"shape": shape, "byte_offset": 0, "contents": shape[0] * shared, "expected": shape[0] * shared}
    if Reading(trial, generation, strides=strides, **changes).is_wrong and not any(
        Reading(trial, generation, strides=each, **changes).is_wrong for each in without
    ):
        observed = f"with strides {strides} the import shows other elements"
        trial.out.wrong_value(rule, observed, "the same elements at each index of the first axis")


@variant("consumer", "large")
def large(trial):
    """The same of a tensor of more than 1 MiB, where a small one of this dtype is shown rightly."""
    if Reading(trial, "versioned").is_wrong:
        trial.out.blocked("by the elements of a small tensor of this dtype", *trial.out.rest())
        return
    trial.order = importing.large(trial)
    whole_imports.judge_whole(trial, Source(trial), "versioned")


def _judge_meaningless_strides(trial, generation):
    """Strides of extents 0 and 1 have no meaning: a consumer that requires compact strides must not check them."""
    rules = ("tensor.strides-extent1-ignored", "tensor.strides-empty-ignored")
    asked = [rule for rule in rules if trial.out.wants(rule)]
    if not asked or trial.order.strides in (None, row_major(trial.order.shape)):
        return
    first = Import(trial, Source(trial, generation))
    if first.refusal is None:
        return
    if any(_takes(trial, generation, strides) for strides in _compact(trial.order.shape)):
        observed = f"refused, though the same array with compact strides is taken: {first.refusal.text}"
        for rule in asked:
            trial.out.violated(rule, observed, "strides of such extents have no meaning")


def _compact(shape):
    """The strides that libraries write for a compact array: axes of extent 1 have the row-major stride, or 1."""
    strides = row_major(shape)
    return strides, tuple(1 if extent == 1 else stride for extent, stride in zip(shape, strides))


def _takes(trial, generation, strides):
    return Import(trial, Source(trial, generation, strides=strides)).refusal is None
