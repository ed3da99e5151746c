"""Consumers: imports that fail, early and late. Whatever the reason, each capsule is released once."""

import warnings

from dlspec_worker.consumer.keywords import Raised, of_2023
from dlspec_worker.facts.dlpack import HEXAGON, NOBODY, READ_ONLY, UNDEFINED_CODE
from dlspec_worker.imports import consumed_capsules, importing
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import CopyingSource, Source
from dlspec_worker.trial.variants import variant

# Tensors that some consumer refuses. Each can be read safely by a consumer that takes it.
REFUSED = (
    {"code": UNDEFINED_CODE},
    {"bits": 24},
    {"dtype": "float32x2", "shape": (3, 2), "strides": (2, 1)},
    {"device": NOBODY},
    {"device": HEXAGON},
    {"flags": READ_ONLY},
    {"version": (1, 99), "flags": 1 << 20},
    {"shape": (1,), "strides": (1,), "ndim": 65},
    {"shape": (3, 2), "strides": (-4, 2), "byte_offset": 32},
    {"shape": (3, 4), "strides": (0, 1)},
    {"byte_offset": 1},
    {"strides": None},
)


@variant("consumer", "refusals")
def refusals(trial):
    """From dlpack.h 0.2, DLManagedTensor: a failed import leaves the capsule alone or releases it, never both."""
    rule = "managed.error-releases"
    for generation in ("legacy", "versioned"):
        for fields in REFUSED:
            _judge_refused(trial, rule, _source(trial, generation, fields))
    trial.out.not_applicable(rule)


def _source(trial, generation, fields):
    if generation == "legacy":
        fields = {name: value for name, value in fields.items() if name not in ("flags", "version")}
    if "shape" in fields:
        fields = {"contents": _contents(trial, fields), **fields}
    return Source(trial, generation, **fields)


def _contents(trial, fields):
    elements = 1
    for extent in fields["shape"]:
        elements *= extent
    size = 8 if fields.get("dtype") == "float32x2" else 4
    return (trial.order.bytes * 2)[: elements * size]


def _judge_refused(trial, rule, source):
    done = Import(trial, source)
    if done.refusal is None or source.handed_out == 0:
        return
    text = done.refusal.text
    del done
    if importing.releases_balance(source):
        trial.out.pass_(rule)
    else:
        trial.out.violated(rule, f"after {text}: {importing.releases(source)}", importing.ONCE)


class FailsLate(Source):
    """Its __dlpack_device__ works until the capsule is exported, and raises afterwards."""

    def __dlpack_device__(self):
        if self.handed_out:
            raise Raised("the capsule has left already")
        return super().__dlpack_device__()


@variant("consumer", "fails-late")
def fails_late(trial):
    """pytorch/pytorch#56789: nothing may fail between taking the tensor over and renaming the capsule."""
    rule = "capsule.rename-before-failure-points"
    if importing.refuses_unbalanced(trial):
        trial.out.blocked("by managed.error-releases", *trial.out.rest())
        return
    for source, keywords in _late_failures(trial):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            done = Import(trial, source, **keywords)
        if done.refusal and source.handed_out:
            _judge_late(trial, rule, source, done.refusal.text)
    trial.out.not_applicable(*trial.out.rest())


def _late_failures(trial):
    yield Source(trial, "versioned", flags=READ_ONLY), {}
    yield Source(trial, "legacy"), {}
    yield FailsLate(trial), {}
    if of_2023(trial):
        yield Source(trial), {"device": "dlspec-nowhere"}
        yield CopyingSource(trial), {"copy": True}
        yield Source(trial), {"copy": False}


def _judge_late(trial, rule, source, text):
    calls, renamed = source.deleter_calls, consumed_capsules.Capsules(trial, source).renamed
    balanced = importing.releases_balance(source)
    if balanced:
        trial.out.pass_(rule, "managed.error-releases")
    elif calls and not renamed:
        observed = f"after {text} the tensor had been released, and the capsule, not yet renamed, released it again"
        trial.out.wrong_value(rule, observed, "a capsule that is renamed before anything can fail")
    else:
        trial.out.violated("managed.error-releases", f"after {text}: {importing.releases(source)}", importing.ONCE)
