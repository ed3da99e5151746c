"""Consumers: structs of a foreign major version, whole ones and ones that end behind their flags."""

from dlspec_worker.facts.dlpack import IS_COPIED, PADDED, READ_ONLY, UNDEFINED_CODE
from dlspec_worker.imports import importing
from dlspec_worker.imports.importing import Import, refused
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant


@variant("consumer", "major=2", "major=0", "major=257", "major=65537", "major=4294967295")
def foreign_major(trial):
    """dlpack.h 1.0, DLPackVersion: another major version means release and refuse, before anything else is read."""
    major = int(trial.variant.split("=")[1])
    rule, first = "version.major-mismatch-release", "version.major-checked-first"
    source = Source(trial, "versioned", version=(major, 0))
    done = Import(trial, source)
    if source.refused_the_question:
        refused(trial, done)
        return
    if done.refusal is None:
        observed = f"a tensor of version {major}.0 was imported"
        trial.out.violated(rule, observed, "a refusal", "major-zero" if major == 0 else None)
        trial.out.blocked(f"by {rule}", first)
        return
    _judge_checked_first(trial, major, done.refusal)
    _judge_released_unread(trial, source)


def _judge_released_unread(trial, source):
    """version.major-mismatch-release, after the refusal."""
    rule = "version.major-mismatch-release"
    if importing.releases_balance(source):
        trial.out.pass_(rule)
    elif importing.refuses_unbalanced(trial):
        trial.out.blocked("by managed.error-releases", rule)
    else:
        trial.out.violated(rule, f"after the refusal {importing.releases(source)}", importing.ONCE)


def _judge_checked_first(trial, major, refusal):
    """A consumer that checks the version first gives the same error whatever follows it."""
    rule = "version.major-checked-first"
    hollow = Import(
        trial, Source(trial, "versioned", version=(major, 0), code=UNDEFINED_CODE, null_shape=True, null_data=True)
    )
    if hollow.refusal is None:
        trial.out.violated(rule, "imported when the other fields are void", "a refusal")
    elif _is_told_apart(trial, major, refusal, hollow.refusal):
        observed = f"with other fields another refusal: {hollow.refusal.text}"
        trial.out.violated(rule, observed, f"the refusal of the version: {refusal.text}")
    trial.out.pass_(rule)


def _is_told_apart(trial, major, refusal, other):
    """True when the refusals differ, and the first is the same each time.

    A text that counts, tells the time or shows addresses differs from itself.
    """
    if refusal.text == other.text:
        return False
    again = Import(trial, Source(trial, "versioned", version=(major, 0))).refusal
    return again is not None and again.text == refusal.text


@variant("consumer", "prefix-only")
def prefix_only(trial):
    """As foreign_major, of a struct that ends behind its flags: whoever looks further first kills the worker."""
    rule = "version.major-checked-first"
    done = _import_prefix(trial, version=(int(trial.variant.split("=")[1]), 0))
    if done.source.refused_the_question:
        refused(trial, done)
    elif done.refusal is None:
        trial.out.blocked("by version.major-mismatch-release", rule)
    trial.out.pass_(rule)


def _import_prefix(trial, **fields):
    """The import of the whole struct; where that is refused, that of its prefix follows."""
    done = Import(trial, Source(trial, "versioned", **fields))
    if done.refusal is not None and not done.source.refused_the_question:
        Import(trial, Source(trial, "versioned", prefix_only=True, **fields))
    return done


@variant("consumer", "prefix-only=flags")
def flagged_prefix(trial):
    """The same beside flags: what they mean in another major version nobody knows."""
    rule = "version.major-mismatch-release"
    for flags in (READ_ONLY, IS_COPIED, PADDED, 2**64 - 1):
        done = _import_prefix(trial, version=(2, 0), flags=flags)
        if done.source.refused_the_question:
            refused(trial, done)
            return
        if done.refusal is None:
            observed = f"a tensor of version 2.0 with flags {flags:#x} was imported"
            trial.out.violated(rule, observed, "a refusal")
            trial.out.blocked(f"by {rule}", "version.major-checked-first")
            return
        _judge_released_unread(trial, done.source)
    trial.out.pass_("version.major-checked-first")
