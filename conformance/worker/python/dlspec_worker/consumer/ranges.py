"""Consumers: the highest rank, and the dtypes that every library of the array API exchanges."""

from dlspec_worker.consumer.structs import judge_taken
from dlspec_worker.facts.elements import row_major
from dlspec_worker.imports import plain_layouts
from dlspec_worker.imports.importing import Import, refused
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant


@variant("consumer", "rank=64")
def rank_64(trial):
    """dlpack.h, DLTensor.ndim: no text sets a limit. One that has a limit refuses higher ranks and truncates none."""
    rule = "tensor.ndim-cap-refused"
    shape = (1,) * (64 - len(trial.order.shape)) + trial.order.shape
    judge_taken(trial, Source(trial, shape=shape, strides=row_major(shape)), rule)
    trial.out.pass_(rule)  # a refusal
    _judge_scalar(trial)


def _judge_scalar(trial):
    """dlpack.h, DLTensor.ndim: rank 0 is one element."""
    rule, first = "tensor.ndim0-is-scalar", trial.order.bytes[:4]
    done = Import(trial, Source(trial, shape=(), strides=(), byte_offset=0, contents=first))
    found = None if done.refusal else trial.library.imported_contents(done.array)[0]
    if found is None:
        trial.out.unsupported("no tensor of rank 0 is imported", rule)
    elif found != first and plain_layouts.shows_ordinary(trial):
        trial.out.wrong_value(
            rule, f"a tensor of rank 0 shows {len(found)} bytes that are not its element", "its element"
        )
    trial.out.pass_(rule)


@variant("consumer", "standard-dtype")
def standard_dtype(trial):
    """Array API 2021.12, data interchange: the standard's dtypes can be exchanged; 2022.12 adds the complex ones."""
    rule = "dtype.array-api-set"
    if "make" not in trial.library.provides:
        trial.out.unsupported("the adapter has no make() to tell whether the library has this dtype", rule)
        return
    trial.library.make(trial.order)  # otherwise it is not required to
    done = Import(trial, Source(trial))
    if done.refusal is None:
        trial.out.pass_(rule)
    elif Import(trial, Source(trial, dtype="float32", shape=(1,), strides=(1,), contents=bytes(4))).refusal is None:
        observed = f"the library has arrays of {trial.order.dtype}, and refuses to import one: {done.refusal.text}"
        trial.out.violated(rule, observed, "an import")
    refused(trial, done)
