"""Consumers: structs without a deleter."""

from dlspec_worker.consumer.structs import judge_taken
from dlspec_worker.facts.dlpack import NOBODY, UNDEFINED_CODE
from dlspec_worker.imports import consumed_capsules, importing
from dlspec_worker.imports.importing import Import, refused
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant


@variant("consumer", "null-deleter")
def null_deleter(trial):
    """dlpack.h, deleter: may be NULL, and is then not called."""
    for generation in (None, "legacy"):
        done = judge_taken(trial, Source(trial, generation, null_deleter=True), "managed.deleter-null-skipped")
        if done.refusal and generation is None:
            refused(trial, done)
        _judge_renamed(trial, done, generation or "versioned")
        # For a copy some consumers do their own work, and release at once.
        copied = Import(trial, Source(trial, generation, null_deleter=True), copy=True)
        for each in (done, copied):
            each.source.forget_capsules()
            each.drop()
        # A call of NULL would have killed the worker by now, and this case's rule would be reported.
        importing.collect()


def _judge_renamed(trial, done, generation):
    """Its capsule is consumed as any other: it might be imported a second time."""
    rule = f"capsule.renamed-{generation}"
    names = consumed_capsules.Capsules(trial, done.source)
    if done.refusal or names.touched or done.source.handed_out == 0:
        trial.out.pass_(rule)
    elif consumed_capsules.Capsules(trial, _ordinarily_taken(trial, generation)).renamed:
        observed = "the capsule of a struct without a deleter keeps its name"
        trial.out.violated(rule, observed, "the name of a consumed capsule, as for other structs")
    trial.out.not_applicable(rule)


def _ordinarily_taken(trial, generation):
    source = Source(trial, generation)
    Import(trial, source).drop()
    return source


@variant("consumer", "null-deleter=refused")
def null_deleter_refused(trial):
    """The same of a dtype, a device and a major version that nobody knows: the refusal has nothing to call."""
    unknown = [(each, {"code": UNDEFINED_CODE}) for each in (None, "legacy")]
    for generation, changes in (*unknown, (None, {"device": NOBODY}), ("versioned", {"version": (2, 0)})):
        done = Import(trial, Source(trial, generation, null_deleter=True, **changes))
        if done.source.handed_out == 0 and generation is None:
            refused(trial, done)
        done.source.forget_capsules()
        done.drop()
        importing.collect()
    trial.out.pass_("managed.deleter-null-skipped")
