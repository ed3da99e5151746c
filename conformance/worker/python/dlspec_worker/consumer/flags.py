"""Consumers: what the flags say, what they do not say, and structs that have none."""

from dlspec_worker.facts.dlpack import IS_COPIED, NEWEST, PADDED, READ_ONLY
from dlspec_worker.imports.importing import Import, unless_refused
from dlspec_worker.imports.reading import Reading, exported, shares_memory, writability
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant

UNKNOWN = (3, 20, 31, 32, 63)
NEWER = (1, 99)  # a release that may define further flags


@variant("consumer", "unknown-flags")
def unknown_flags(trial):
    """dlpack.h 1.0, DLPackVersion: does not mention undefined bits; the defined ones keep their meaning beside them."""
    rule = "flags.unknown-bits-policy"
    known = READ_ONLY if trial.order.readonly else PADDED
    plain = unless_refused(trial, Reading(trial, "versioned", version=NEWER, flags=known))
    if plain.is_wrong:
        trial.out.blocked("by the elements of every import", rule)
        return
    honours = plain.is_right if known == PADDED else writability(trial, plain.array) is False
    for bit in UNKNOWN:
        reading = Reading(trial, "versioned", version=NEWER, flags=known | 1 << bit)
        if reading.is_refused:
            trial.out.unsupported(f"refused because of flag bit {bit}: {reading.refusal.text}", rule)
            return
        _judge_known(trial, rule, bit, reading, honours)
    if not honours:
        trial.out.unsupported("nothing shows that the known flag is honoured", rule)
    trial.out.pass_(rule)


def _judge_known(trial, rule, bit, reading, honours):
    if reading.is_wrong:
        trial.out.wrong_value(rule, f"with flag bit {bit} the elements are others", "the same elements")
    elif honours and trial.order.readonly and writability(trial, reading.array):
        observed = f"with flag bit {bit} beside READ_ONLY the import may be written"
        trial.out.wrong_value(rule, observed, "READ_ONLY honoured, or a refusal")


@variant("consumer", "flags=together")
def several_flags(trial):
    """dlpack.h 1.0, the flags: each bit says one thing, whatever the others say."""
    respected, policy = "flags.read-only-respected", "flags.unknown-bits-policy"
    alone = unless_refused(trial, Reading(trial, "versioned", flags=READ_ONLY))
    honours = writability(trial, alone.array) is False
    if alone.is_wrong or not honours:
        trial.out.unsupported("nothing shows that READ_ONLY alone is honoured", respected, policy)
        return
    every = READ_ONLY | sum(1 << bit for bit in UNKNOWN)
    for rule, flags, version in ((policy, every, NEWER), (respected, READ_ONLY | IS_COPIED, NEWEST)):
        if trial.out.is_violated(policy):
            trial.out.blocked(f"by {policy}", respected)
            return
        reading = Reading(trial, "versioned", version=version, flags=flags)
        if reading.is_refused:
            trial.out.unsupported(f"refused because of flags {flags:#x}: {reading.refusal.text}", rule)
        elif reading.is_wrong:
            trial.out.wrong_value(rule, f"with flags {flags:#x} the elements are others", "the same elements")
        elif writability(trial, reading.array):
            observed = f"with flags {flags:#x} the import may be written, with READ_ONLY alone it may not"
            trial.out.violated(rule, observed, "READ_ONLY honoured, or a refusal")
        trial.out.pass_(rule)


@variant("consumer", "legacy-neighbours")
def legacy_neighbours(trial):
    """dlpack.h 1.0, DLManagedTensor: it has neither version nor flags, whatever lies before and after it in memory."""
    rule = "version.legacy-has-none"
    first = unless_refused(trial, Reading(trial, "legacy"))
    alone = _behaviour(trial, first)
    for word, meaning in ((1, "version 1.0 and READ_ONLY"), (7, "version 7.0 and all flags"), (2, "version 2.0")):
        here = _behaviour(trial, Reading(trial, "legacy", surroundings=word))
        if here != alone:
            what = next(name for name in here if here[name] != alone[name])
            observed = f"memory beside the struct that looks like {meaning} changes {what}"
            trial.out.violated(rule, observed, "the same import")
    trial.out.pass_(rule)


def _behaviour(trial, reading):
    if reading.is_refused:
        return {"whether it is taken": False}
    made = exported(trial, reading.array)
    return {
        "whether it is taken": True,
        "the elements": reading.found,
        "the flags of its export": made and made.facts["flags"],
        "whether it may be written": writability(trial, reading.array),
    }


@variant("consumer", "legacy-writable")
def legacy_writable(trial):
    """numpy/numpy#28600: a legacy capsule cannot say READ_ONLY, so that a careful consumer does not write."""
    rule = "flags.legacy-writability-unknown"
    done = unless_refused(trial, Import(trial, Source(trial, "legacy")))
    writable = writability(trial, done.array)
    if writable is None:
        trial.out.unsupported("nothing shows whether the import may be written", rule)
    elif writable and shares_memory(trial, done):
        observed = "a tensor without flags was imported as an array that may be written"
        trial.out.violated(rule, observed, "an array that may not be written, as nobody said that it may")
    elif writable:
        trial.out.not_applicable(rule)  # a copy belongs to the consumer
    trial.out.pass_(rule)
