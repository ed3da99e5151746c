"""Consumers: capsules that no exporter would hand out, and that must not be consumed."""

from dlspec_worker import exporting, importing
from dlspec_worker.cases import variant
from dlspec_worker.importing import Import, refused
from dlspec_worker.source import Replay, Source


@variant("consumer", "wrong-name")
def wrong_name(trial):
    """Python specification, Implementation: the name says what the capsule holds; another name says nothing."""
    rule = "capsule.name-checked"
    for name in ("dlspec_tensor", "dltensor_version", "dl"):
        _judge_refused_name(trial, rule, name, name)
    trial.out.pass_(rule)


@variant("consumer", "used-capsule")
def used_capsule(trial):
    """Python specification, Implementation: a capsule is consumed once; "used_" marks those that were."""
    rule = "capsule.single-consumption"
    used = {generation: "used_" + name for generation, name in exporting.NAMES.items()}
    _judge_refused_name(trial, rule, used, "used_dltensor or used_dltensor_versioned")
    trial.out.pass_(rule)


def _judge_refused_name(trial, rule, name, spoken):
    source = Source(trial, name=name)
    done = Import(trial, source)
    if done.refusal is None:
        trial.out.broken(rule, f"a capsule named {spoken} was imported", "a refusal")
    elif source.deleter_calls:
        trial.out.broken(rule, f"a capsule named {spoken} was refused, but released", "a refusal that touches nothing")


@variant("consumer", "capsule-twice")
def capsule_twice(trial):
    """Python specification, Implementation: a capsule is consumed exactly once."""
    rule = "capsule.single-consumption"
    source = Source(trial)
    first = Import(trial, source)
    if first.refusal:
        refused(trial, first)
        return
    capsules = importing.Capsules(trial, source)
    if not capsules.renamed and (capsules.cleared or source.deleter_calls):
        trial.out.blocked("by the capsule, which was consumed and not renamed", rule)
        return
    again, refusal = trial.library.from_dlpack(Replay(source.capsules[-1]))
    del again
    if refusal is None and _is_left_alone(trial, source, first):
        trial.out.info(rule, "the capsule was copied from, left alone, and imported again", "one import of a capsule")
    elif refusal is None and not capsules.renamed:
        trial.out.blocked("by the capsule, which was consumed and not renamed", rule)
    elif refusal is None:
        trial.out.broken(rule, "the capsule of a living import was imported again", "a refusal")
    trial.out.pass_(rule)


def _is_left_alone(trial, source, first):
    """True when the import copied and did not consume: its capsule, once dropped, releases, and takes nothing away."""
    if importing.Capsules(trial, source).renamed or source.deleter_calls:
        return False
    source.forget_capsules()
    importing.collect()
    whole = trial.library.imported_contents(first.array)[0] == trial.order.bytes
    return whole and source.is_released() and source.deleter_calls == source.handed_out
