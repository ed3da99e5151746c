"""Consumers: whether and how they use the exchange table of what they import."""

from dlspec_worker.exchange_api import tables
from dlspec_worker.imports.importing import Import, judge_shown_elements
from dlspec_worker.imports.source import Source
from dlspec_worker.imports.table_sources import source_of
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant

FALLBACK, MAJOR = "exchange.consumer-fallback", "exchange.header-major-checked"


def _only_users(trial):
    """Ends the case of a consumer that never calls a table: what is asked of those that do does not apply."""
    library = trial.library
    if library.uses_table is None:
        source, recorders = source_of(trial, "ordinary")
        Import(trial, source)
        library.uses_table = bool(recorders[0].calls)
    if not library.uses_table:
        trial.out.not_applicable(*trial.out.rest())
        raise Unsupported("it uses no exchange table")


@variant("consumer", "table")
def ordinary(trial):
    """Python specification 1.3, DLPack C Exchange API: how the functions of the table are called."""
    attached, error, exact = (
        "exchange.attached-thread",
        "exchange.alloc-seterror-nonnull",
        "exchange.from-exact-type",
    )
    _only_users(trial)
    source, recorders = source_of(trial, "ordinary")
    done = Import(trial, source)
    calls = recorders[0].calls
    trial.table_calls.extend(call.name for call in calls)
    for call in calls:
        if call.name in (tables.EXPORT, tables.BORROW) and not call.attached:
            observed = f"{call.name} was called without the interpreter's lock"
            trial.out.violated(attached, observed, "a thread that is attached to the interpreter")
        if not call.has_set_error:
            trial.out.violated(error, f"{call.name} was called with SetError NULL", "a function that takes the error")
    _judge_types(trial, calls)
    if any(call.name == tables.ALLOCATE for call in calls):
        trial.out.pass_(error)
    trial.out.not_applicable(error)
    trial.out.pass_(attached, exact)
    _judge_elements(trial, done)


def _judge_types(trial, calls):
    for call in calls:
        if not call.is_own:
            observed = f"{call.name} of one type's table was called with an object of another type"
            trial.out.violated("exchange.from-exact-type", observed, "objects of the type that the table was found on")


def _judge_elements(trial, done):
    if done.refusal:
        trial.out.unsupported(f"the import was refused: {done.refusal.text}", "tensor.element-address")
        return
    judge_shown_elements(trial, done.array)


@variant("consumer", "table=two-types")
def two_types(trial):
    """dlpack.h 1.2, py_object: of the type that the table comes from, also when tables are cached."""
    _only_users(trial)
    for name in ("ordinary", "other", "ordinary"):
        source, recorders = source_of(trial, name)
        other = source_of(trial, "other" if name == "ordinary" else "ordinary")[1]
        Import(trial, source)
        _judge_types(trial, [*recorders[0].calls, *other[0].calls])
    trial.out.pass_("exchange.from-exact-type")


@variant("consumer", "table=major-2")
def foreign_major(trial):
    """dlpack.h 1.2, DLPackExchangeAPIHeader.version: the major version is compared before the table is used."""
    _only_users(trial)
    source, recorders = source_of(trial, "major-2")
    done = Import(trial, source)
    if recorders[0].calls:
        observed = f"{recorders[0].calls[0].name} of a table of major version 2 was called"
        trial.out.violated(MAJOR, observed, "a table of another major version is not used")
        trial.out.blocked(f"by {MAJOR}", FALLBACK)
    elif done.refusal:
        observed = f"an object with a table of major version 2, and both methods, was refused: {done.refusal.text}"
        trial.out.violated(FALLBACK, observed, "an import through __dlpack__")
    trial.out.pass_(MAJOR, FALLBACK)


@variant("consumer", "table=older-major")
def older_major(trial):
    """dlpack.h 1.2, DLPackExchangeAPIHeader.prev_api: older tables are used if their major version is known."""
    rule = "exchange.prev-walk"
    _only_users(trial)
    source, recorders = source_of(trial, "older-major")
    Import(trial, source)
    if recorders[0].calls:
        trial.out.blocked(f"by {MAJOR}", rule)
    elif recorders[1].calls:
        observed = f"{recorders[1].calls[0].name} of an older table, of major version 2, was called"
        trial.out.violated(rule, observed, "a walk that ends at a major version that the consumer knows")
    trial.out.pass_(rule)


@variant("consumer", "table=instance")
def on_instance(trial):
    """dlpack.h 1.2, DLPackExchangeAPI: the attribute is looked up on the type."""
    rule = "exchange.lookup-on-type"
    _only_users(trial)
    source, recorders = source_of(trial, "instance")
    Import(trial, source)
    if recorders[0].calls:
        observed = f"{recorders[0].calls[0].name} of a table that only the instance has was called"
        trial.out.violated(rule, observed, "a look-up on the type")
    trial.out.pass_(rule)


@variant("consumer", "table=absent")
def absent(trial):
    """Python specification 1.3, DLPack C Exchange API: __dlpack__ alone is always enough."""
    _only_users(trial)
    done = Import(trial, Source(trial))
    if done.refusal:
        observed = f"an object without a table was refused: {done.refusal.text}"
        trial.out.violated(FALLBACK, observed, "an import through __dlpack__")
    trial.out.pass_(FALLBACK)


OTHERS = {
    "minor-99": "a table of a newer minor version",
    "subclass": "a table of its base class",
    "older-name": "a table of 1.2 under its name and as an integer",
}


@variant("consumer", *(f"table={name}" for name in OTHERS))
def alike(trial):
    """dlpack.h 1.2, DLPackExchangeAPIHeader.version: the major version decides; a type may inherit its table."""
    _only_users(trial)
    name = trial.variant.partition("=")[2]
    done = Import(trial, source_of(trial, name)[0])
    if done.refusal:
        observed = f"an object with {OTHERS[name]}, and both methods, was refused: {done.refusal.text}"
        trial.out.violated(FALLBACK, observed, "an import by the table, or through __dlpack__")
    trial.out.pass_(FALLBACK)
    _judge_elements(trial, done)


@variant("consumer", "table=fails")
def failing(trial):
    """dlpack.h 1.2, DLPackManagedTensorFromPyObjectNoSync, return value: -1. Who takes it for success dies here."""
    _only_users(trial)
    done = Import(trial, source_of(trial, "fails")[0])
    trial.out.pass_(FALLBACK)
    _judge_elements(trial, done)


@variant("consumer", "table=no-dltensor")
def without_loan(trial):
    """dlpack.h 1.2, DLPackExchangeAPI.dltensor_from_py_object_no_sync: it may be NULL."""
    rule = "exchange.fn-dltensor-nullable"
    _only_users(trial)
    if Import(trial, source_of(trial, "ordinary")[0]).refusal:
        trial.out.unsupported("no object with a table is imported", rule)
        return
    source, _ = source_of(trial, "no-dltensor")
    done = Import(trial, source)
    if done.refusal:
        observed = f"an object whose table lends no tensors was refused: {done.refusal.text}"
        trial.out.violated(rule, observed, "an import by another function")
    trial.out.pass_(rule)


@variant("consumer", "table=borrowed")
def borrowed(trial):
    """dlpack.h 1.2, DLPackDLTensorFromPyObjectNoSync: the tensor is lent until control is back at its owner."""
    rule = "exchange.dltensor-borrowed"
    _only_users(trial)
    source, recorders = source_of(trial, "ordinary")
    done = Import(trial, source)
    if not any(call.name == tables.BORROW for call in recorders[0].calls):
        trial.out.not_applicable(rule)
        return
    if done.refusal or trial.library.imported_contents(done.array)[0] != trial.order.bytes:
        trial.out.unsupported("the import shows no elements", rule)
        return
    source.end_loan()
    shown = trial.library.imported_contents(done.array)[0]
    if shown != trial.order.bytes:
        observed = "the import shows memory that was only lent, and that is released by now"
        trial.out.wrong_value(rule, observed, "a copy, or an export that the consumer owns")
    trial.out.pass_(rule)
