"""Consumers on a GPU: what they make of the stream that an exchange table names."""

from dlspec_worker.cuda.table_source import kind_and_lender
from dlspec_worker.cuda.unfinished import canary_of, machine_of
from dlspec_worker.trial.variants import variant

BORROWED, ON_IT = "exchange.stream-not-owned", "exchange.n0-run-on-stream"


@variant("consumer", "cuda-table")
def table(trial):
    """dlpack.h 1.2, DLPackExchangeAPI, guidelines: work goes to the stream of the table, which is borrowed."""
    machine = machine_of(trial)
    stream, data = machine.stream(), trial.order.bytes
    address = machine.allocate(len(data))
    machine.fill(address, data)
    kind, lender = kind_and_lender(trial.native)
    lender.begin(stream)
    found = _read(trial, kind(trial, machine, address))
    if not (lender.was_asked or lender.has_exported):
        trial.out.not_applicable(*trial.out.rest())  # it uses no exchange table
    elif not _is_gone(trial, machine, stream) and found != data:
        trial.out.unsupported("an import from a source with a table is refused, or cannot be read", *trial.out.rest())
    if not trial.out.rest():
        return
    machine.fill(address, canary_of(data))
    machine.write_late(stream, address, data)
    source = kind(trial, machine, address, stream)
    lender.begin(stream)
    found = _read(trial, source)
    machine.use()
    if lender.has_exported and found not in (None, data):
        observed = "an import by the table was read before work on the stream of the table had ended"
        trial.out.violated(ON_IT, observed, "work on the stream that current_work_stream returns")
    elif lender.has_exported:
        trial.out.pass_(ON_IT)
    machine.settle()
    trial.out.not_applicable(*([] if lender.has_exported else [ON_IT]), *([] if lender.was_asked else [BORROWED]))
    trial.out.pass_(BORROWED)


def _read(trial, source):
    """The elements of an import that is dropped again; None where it is refused, or cannot be read."""
    array, refusal = trial.library.from_dlpack(source)
    return None if refusal else trial.library.imported_contents(array)[0]


def _is_gone(trial, machine, stream):
    machine.use()
    machine.settle()
    if machine.is_stream(stream):
        return False
    trial.out.violated(BORROWED, "the stream of current_work_stream was destroyed", "a stream that stays its owner's")
    trial.out.blocked(f"by {BORROWED}", ON_IT)
    return True
