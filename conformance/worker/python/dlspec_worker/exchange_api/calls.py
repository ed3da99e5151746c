"""Calls of an exchange table's functions, each judged by what every function of a table must keep to."""

from dlspec_worker.exchange_api import tables
from dlspec_worker.facts import values
from dlspec_worker.subject import nearest
from dlspec_worker.trial.attempts import Refusal
from dlspec_worker.trial.outcomes import Unsupported

CONVENTIONS = (
    "exchange.return-int",
    "exchange.pyerr-on-failure",
    "exchange.no-pyerr-on-success",
    "exchange.no-cpp-exceptions",
)
NOTHING = (0, 0, 0)  # data, strides and byte_offset of a prototype as a careful caller leaves them


class Answer:
    """The result of one call: the extension's facts, and the exception that it left or None."""

    def __init__(self, name, facts):
        self.name = name
        self.facts = facts
        self.is_success = facts["status"] == 0
        self.error = facts["error"]
        self.refusal = None if self.is_success else Refusal(self.error or RuntimeError("without an exception"))

    @property
    def text(self):
        """The failure as a text."""
        if self.facts["threw"]:
            return f"{self.name} threw {self.facts['threw']}"
        error = self.refusal.text if self.error is not None else "no exception"
        return f"{self.name} returned {self.facts['status']} with {error}"


class Caller:
    """Calls the functions of one table, and records in trial.out which conventions a call violates."""

    def __init__(self, trial, table):
        self._trial = trial
        self.table = table
        self._native = trial.native
        self._failures = 0

    def allocate(self, dtype, shape, device, rest=NOTHING, attached=True):
        function = self._function(tables.ALLOCATE)
        facts = self._native.api_allocate(function, dtype, shape, device, rest, attached)
        return self._judged(Answer(tables.ALLOCATE, facts), raises=False)

    def export(self, array):
        function = self._function(tables.EXPORT)
        return self._judged(Answer(tables.EXPORT, self._native.api_export(function, array)))

    def borrow(self, array, fill):
        function = self._function(tables.BORROW)
        return self._judged(Answer(tables.BORROW, self._native.api_borrow(function, array, fill)))

    def import_(self, address):
        function = self._function(tables.IMPORT)
        return self._judged(Answer(tables.IMPORT, self._native.api_import(function, address)))

    def stream(self, device, preset, attached=True):
        function = self._function(tables.STREAM)
        return self._judged(Answer(tables.STREAM, self._native.api_stream(function, device, preset, attached)))

    @property
    def native(self):
        return self._native

    def wrapped(self, raw):
        """A capsule around a borrowed DLTensor, which owns nothing."""
        return self._native.api_wrap(raw)

    def close(self):
        """Passes the conventions that no call broke."""
        if not self._failures:
            self._trial.out.not_applicable("exchange.pyerr-on-failure")
        self._trial.out.pass_(*CONVENTIONS)

    def _function(self, name):
        address = self.table.functions[name]
        if address:
            return address
        out = self._trial.out
        if name in tables.NONNULL:
            out.blocked(f"by {tables.NONNULL[name]}", *out.rest())
        else:
            out.not_applicable(*out.rest())
        raise Unsupported(f"{name} is NULL")

    def _judged(self, answer, raises=True):
        out, facts = self._trial.out, answer.facts
        if facts["threw"]:
            out.violated("exchange.no-cpp-exceptions", answer.text, "a status and a Python exception")
            return answer
        self._failures += raises and not answer.is_success
        if facts["status"] not in (0, -1):
            observed = f"{answer.name} returned {facts['status']}"
            out.violated("exchange.return-int", observed, "0 for success, -1 for failure")
        if answer.is_success and facts["error"] is not None:
            observed = f"{answer.name} succeeded and left {Refusal(facts['error']).text} pending"
            out.violated("exchange.no-pyerr-on-success", observed, "no exception after a success")
        if raises and not answer.is_success and facts["error"] is None:
            observed = f"{answer.name} returned {facts['status']} and set no exception"
            out.violated("exchange.pyerr-on-failure", observed, "a Python exception after a failure")
        return answer


def array_of(trial):
    """The array of the case. Where arrays publish no table, a dtype that the library lacks makes no difference."""
    try:
        return trial.library.make(trial.order)
    except Unsupported:
        if tables.published(trial.native, trial.library.make(values.plain_order(trial.order))) is None:
            trial.out.not_applicable(*trial.out.rest())
        raise


def any_array(trial):
    """An array that the library can make; only its type matters."""
    return trial.library.make(nearest.choose_plainest(trial.library, nearest.plainest(trial.order)))


def caller_for(trial, array):
    """The Caller of the array's table. Ends the case where there is no table that can be used."""
    found = tables.published(trial.native, array)
    if found is None:
        trial.out.not_applicable(*trial.out.rest())
        raise Unsupported("the type publishes no exchange table")
    table = tables.table_of(trial.native, array)
    if table is None:
        rule = "exchange.header-version" if found.address and tables.read(found.address) else "exchange.attr-name"
        trial.out.blocked(f"by {rule}", *trial.out.rest())
        raise Unsupported("no table that can be used")
    return Caller(trial, table)
