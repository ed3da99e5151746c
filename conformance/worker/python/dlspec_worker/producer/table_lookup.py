"""Producers: where a type publishes its exchange table, and what the struct itself says."""

import gc

from dlspec_worker.exchange_api import calls, tables
from dlspec_worker.facts import wording
from dlspec_worker.imports.offers import make_offer
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

PRESET = 0xDEADBEE0


@variant("producer", "table")
def lookup(trial):
    """dlpack.h 1.3, DLPackExchangeAPI and DLPackExchangeAPIHeader: the attribute, its capsule and the header."""
    array = trial.library.make(trial.order)
    new, old = (tables.Published(trial.native, array, name) for name in (tables.NAME, tables.OLD_NAME))
    if not new.exists and not old.exists:
        trial.out.not_applicable(*trial.out.rest())
        return
    _judge_methods(trial, array)
    _judge_place(trial, new if new.exists else old)
    _judge_form(trial, new, old)
    _judge_old_form(trial, new, old)
    found = new if new.exists else old
    table = tables.read(found.address) if found.address else None
    if table is None:
        trial.out.blocked("by the attribute, which leads to no table", *trial.out.rest())
        return
    _judge_header(trial, table)
    _judge_members(trial, tables.usable(table) or table)


def _judge_methods(trial, array):
    missing = [name for name in ("__dlpack__", "__dlpack_device__") if not hasattr(type(array), name)]
    if missing:
        observed = f"the type publishes an exchange table and has no {' and no '.join(missing)}"
        trial.out.violated("exchange.dunder-also-offered", observed, "the table beside both methods")
    trial.out.pass_("exchange.dunder-also-offered")


def _judge_place(trial, found):
    rule = "exchange.attr-on-type"
    if not found.is_on_type:
        observed = f"only instances have {found.name}, their type has none"
        trial.out.violated(rule, observed, "an attribute of the type")
    trial.out.pass_(rule)


def _judge_form(trial, new, old):
    name, capsule, static = "exchange.attr-name", "exchange.capsule-name", "exchange.capsule-static"
    if not new.exists:
        table = tables.read(old.address) if old.address else None
        if table is not None and table.version >= (1, 3):
            observed = f"a table of {_dotted(table.version)} is published as {tables.OLD_NAME} alone"
            trial.out.violated(name, observed, tables.NAME)
        trial.out.not_applicable(name, capsule, static)
        return
    if new.capsule is None:
        observed = f"{tables.NAME} is an object of type {type(new.value).__name__}"
        trial.out.violated(name, observed, "a capsule")
        trial.out.blocked(f"by {name}", capsule, static)
        return
    trial.out.pass_(name)
    if new.capsule[0] != tables.CAPSULE:
        said = "NULL" if new.capsule[0] is None else f'"{new.capsule[0]}"'
        trial.out.violated(capsule, f"the capsule's name is {said}", f'"{tables.CAPSULE}"')
    trial.out.pass_(capsule)
    if new.capsule[2]:
        trial.out.violated(static, "the capsule has a destructor", "a capsule that owns nothing")
    trial.out.pass_(static)


def _judge_old_form(trial, new, old):
    rule = "exchange.attr-legacy-int"
    if not old.exists:
        trial.out.not_applicable(rule)
    elif not old.is_integer:
        observed = f"{tables.OLD_NAME} is an object of type {type(old.value).__name__}"
        trial.out.violated(rule, observed, "an integer, the address of the table")
    elif new.address and old.value != new.address:
        trial.out.violated(rule, f"{tables.OLD_NAME} is not the address that the capsule holds", "the same table")
    trial.out.pass_(rule)


def _judge_header(trial, table):
    version, previous = "exchange.header-version", "exchange.prev-null-or-older"
    if table.version < (1, 2):
        observed = f"the header says {_dotted(table.version)}, and DLPack has such tables since 1.2"
        trial.out.violated(version, observed, "the version of DLPack that the table implements")
        trial.out.blocked(f"by {version}", previous)
    trial.out.pass_(version)
    found, problem = tables.chain(table)
    if problem:
        trial.out.violated(previous, f"prev_api {problem}", "NULL, or an older table")
    newer = table.version
    for each, _ in found:
        if each >= newer:
            observed = f"prev_api of the table of {_dotted(newer)} leads to one of {_dotted(each)}"
            trial.out.violated(previous, observed, "NULL, or an older table")
        newer = each
    trial.out.pass_(previous)


def _judge_members(trial, table):
    for name, rule in tables.NONNULL.items():
        if not table.functions[name]:
            trial.out.violated(rule, f"{name} is NULL", "a function")
        trial.out.pass_(rule)


def _dotted(version):
    return f"{version[0]}.{version[1]}"


@variant("producer", "table-lifetime")
def lifetime(trial):
    """dlpack.h 1.2, DLPackExchangeAPI: one table per type, which stays alive until the process ends."""
    alive, static = "exchange.process-lifetime", "exchange.capsule-static"
    array = trial.library.make(trial.order)
    caller = calls.caller_for(trial, array)
    first = tables.published(trial.native, array)
    before = _bytes_of(first.address)
    for _ in range(3):
        _use(trial, caller, array)
    del array
    gc.collect()
    found = tables.published(trial.native, trial.library.make(trial.order))
    if found is None or found.address != first.address:
        trial.out.violated(alive, "two look-ups on one type lead to different tables", "one table for each type")
    elif _bytes_of(first.address) != before:
        trial.out.violated(alive, "the table changed while it was used", "a table that stays as it is")
    trial.out.pass_(alive)
    if first.capsule is None:
        trial.out.not_applicable(static)
    elif found is not None and found.capsule and found.capsule[0] != first.capsule[0]:
        observed = f"after the table was used the capsule's name is {wording.of_repr(found.capsule[0])}"
        trial.out.violated(static, observed, "a name that stays")
    trial.out.pass_(static)


def _bytes_of(address):
    table = tables.read(address)
    return (table.raw, tables.chain(table)) if table else None


def _use(trial, caller, array):
    """One call of each function that the table has; what they answer is judged elsewhere."""
    functions = caller.table.functions
    if functions[tables.EXPORT]:
        caller.export(array)
    if functions[tables.BORROW]:
        caller.borrow(array, 0)
    if functions[tables.ALLOCATE]:
        look = trial.native.look(make_offer(trial, "versioned").capsule())
        caller.allocate(look["dtype"], trial.order.shape, trial.order.device)
    if functions[tables.STREAM]:
        caller.stream(trial.order.device, PRESET)
    attempt(tables.published, trial.native, array)
