"""Consumers: capsules that no exporter returns, and that must not be consumed."""

import itertools

from dlspec_worker.facts import dlpack
from dlspec_worker.imports import capsule_names, consumed_capsules, importing
from dlspec_worker.imports.importing import Import, unless_refused
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant

# An unrelated name, a prefix of a valid name, and a valid name with a suffix or a prefix added.
NAMES = ("dlspec_tensor", "dltensor_version", "dl", "numpy_dltensor")


@variant("consumer", "wrong-name")
def wrong_name(trial):
    """Python specification, Implementation: the name says what the capsule holds; any other name says nothing."""
    rule = "capsule.name-checked"
    for name, generation in itertools.product(NAMES, (None, "legacy")):
        _judge_refused_name(trial, rule, name, name, generation)
    trial.out.pass_(rule)


@variant("consumer", "used-capsule")
def used_capsule(trial):
    """Python specification, Implementation: a capsule is consumed once; "used_" marks those that were."""
    rule = "capsule.single-consumption"
    if mishandles_names(trial):
        trial.out.blocked("by capsule.name-checked", rule)
    used = {generation: "used_" + name for generation, name in dlpack.NAMES.items()}
    _judge_refused_name(trial, rule, used, "used_dltensor or used_dltensor_versioned")
    trial.out.pass_(rule)


def mishandles_names(trial):
    """True when a capsule of any name is taken, or released: then the library ignores the name."""
    sources = [Source(trial, name=name) for name in NAMES]
    return any([Import(trial, source).refusal is None or source.deleter_calls > 0 for source in sources])


def _judge_refused_name(trial, rule, name, spoken, generation=None):
    source = Source(trial, generation, name=name)
    done = Import(trial, source)
    if trial.out.answered(rule):
        return
    if done.refusal is None:
        trial.out.violated(rule, f"a capsule named {spoken} was imported", "a refusal")
    elif source.deleter_calls and importing.refuses_unbalanced(trial):
        trial.out.blocked("by managed.error-releases", rule)
    elif source.deleter_calls:
        trial.out.violated(
            rule, f"a capsule named {spoken} was refused, but released", "a refusal that touches nothing"
        )


@variant("consumer", "capsule-twice")
def capsule_twice(trial):
    """Python specification, Implementation: a capsule is consumed exactly once."""
    rule = "capsule.single-consumption"
    if capsule_names.names_are_lost(trial):
        return
    source = Source(trial)
    _first = unless_refused(trial, Import(trial, source))
    capsule = consumed_capsules.consumed_capsule(trial, source)
    if capsule is None:
        trial.out.blocked("by the capsule, which was not renamed", rule)
    elif mishandles_names(trial):
        trial.out.blocked("by capsule.name-checked", rule)
    elif capsule_names.imported_again(trial, capsule):
        trial.out.violated(rule, "the capsule of a living import was imported again", "a refusal")
    trial.out.pass_(rule)


@variant("consumer", "consumed")
def consumed(trial):
    """Python specification, Implementation: from_dlpack consumes the capsule itself, before it returns."""
    rule, allowed = "capsule.consumed-immediately", "a capsule that is consumed before from_dlpack returns"
    source = Source(trial)
    array, refusal = trial.library.from_dlpack(source)
    if refusal:
        trial.out.unsupported(f"the import was refused: {refusal.text}", *trial.out.rest())
        return
    if capsule_names.keeps_names(trial):
        trial.out.pass_("capsule.names-static")
    else:
        observed = "the name of the consumed capsule changes with what comes into free memory"
        trial.out.violated("capsule.names-static", observed, "a name that lasts as long as the process")
    if not source.asked:
        trial.out.violated(rule, "from_dlpack returned without having called __dlpack__", allowed)
    early = consumed_capsules.Capsules(trial, source).touched
    trial.library.imported_contents(array)
    if not early and consumed_capsules.Capsules(trial, source).touched:
        trial.out.violated(rule, "the capsule was consumed when the array was read", allowed)
    trial.out.pass_(rule)
