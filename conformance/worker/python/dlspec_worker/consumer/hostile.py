"""Consumers: tensors that no producer may make, each with one field spoilt (oracle/hostile_structs.def).

A refusal that releases once is right, and so are the elements where the struct still leads to them. What no text
demands of a consumer is judged by mitigations.def; a death by such a tensor is judged by the parent, by the same
table.
"""

import functools

from dlspec_worker.facts import wording
from dlspec_worker.imports import importing
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant

REFUSED, TAKEN = "managed.error-releases", "managed.deleter-once"


@variant("consumer", "hostile")
def hostile(trial):
    """dlpack.h, DLTensor: what its members may hold."""
    name = trial.variant.partition("=")[2]
    facts = trial.native.hostile_structs()[name]
    rule = next((rule for rule in trial.out.rules if rule not in (REFUSED, TAKEN)), "")
    for generation in (None, "legacy"):
        _judge(trial, rule, facts, functools.partial(Source, trial, generation, hostile=name))
    trial.out.pass_(rule)
    trial.out.not_applicable(*trial.out.rest())


def _judge(trial, rule, facts, offered):
    """offered(): a source of the struct."""
    source = offered()
    done = Import(trial, source)
    if done.refusal is None:
        _judge_shown(trial, rule, facts, done.array)
    elif source.handed_out == 0:
        return
    kept, text = (TAKEN, "the import was dropped") if done.refusal is None else (REFUSED, done.refusal.text)
    done.drop()
    if importing.releases_balance(source) or (kept == TAKEN and _is_released_unread(trial, offered())):
        trial.out.pass_(kept)
    elif _releases_ordinary(trial, kept):
        observed = f"a tensor with {facts['says']}: after {text} {importing.releases(source)}"
        trial.out.violated(kept, observed, importing.ONCE)
    else:
        trial.out.blocked(f"by {kept} of every tensor", kept)


def _judge_shown(trial, rule, facts, array):
    taken, allowed = f"a tensor with {facts['says']} was imported", "a refusal"
    shown, reason = trial.library.imported_contents(array)
    if not shown:
        what = "it shows no elements" if reason is None else f"reading it is refused: {reason}"
        trial.out.info(rule, f"{taken}; {what}", allowed, "hostile-unread")
    elif not facts["shows_elements"]:
        trial.out.violated(rule, f"{taken}, and shows {len(shown)} bytes", allowed, "unchecked-promise")
    elif shown != trial.order.bytes and _shows_ordinary(trial):
        observed = f"{taken} and shows other elements: {wording.of_bytes(shown, trial.order.bytes)}"
        trial.out.violated(rule, observed, f"{allowed}, or the elements", "unchecked-promise")


def _is_released_unread(trial, source):
    """Whether an import that nobody reads releases the tensor: then the failed read kept it, not the import."""
    done = Import(trial, source)
    done.drop()
    return done.refusal is None and importing.releases_balance(source)


def _shows_ordinary(trial):
    done = Import(trial, Source(trial))
    return done.refusal is None and trial.library.imported_contents(done.array)[0] == trial.order.bytes


def _releases_ordinary(trial, kept):
    """False when an ordinary import is not released either: another case reports that."""
    if kept == REFUSED:
        return not importing.refuses_unbalanced(trial)
    done = Import(trial, Source(trial))
    done.drop()
    return done.refusal is None and importing.releases_balance(done.source)
