"""Producers on a GPU: the exchange table, whose functions wait for nothing and name the library's own stream."""

from dlspec_worker.cuda.source import CudaSource
from dlspec_worker.cuda.unfinished import Unfinished
from dlspec_worker.exchange_api import calls, tables
from dlspec_worker.producer.table_stream import PRESET
from dlspec_worker.trial.variants import variant

CURRENT, NO_WAIT = "exchange.stream-current", "exchange.no-sync"
LONG = 400_000  # microseconds; the calls have no ordinary one to be compared with


@variant("producer", "cuda-table")
def table(trial):
    """dlpack.h 1.2, DLPackExchangeAPI: current_work_stream, and the functions whose names end in no_sync."""
    work = Unfinished(trial)
    caller = calls.caller_for(trial, work.array)
    for stream in (work.stream, work.machine.stream()):
        _judge_current(trial, caller, stream)
    for name, act in _conversions(trial, work, caller):
        work.begin(LONG)
        with trial.library.on_stream(work.stream):
            act()
        waited = work.waited_for()
        work.machine.settle()
        if waited:
            trial.out.violated(NO_WAIT, f"{name} {waited}", "a return at once, with no stream ordered after another")
    caller.close()
    trial.out.pass_(CURRENT, NO_WAIT)


def _judge_current(trial, caller, stream):
    with trial.library.on_stream(stream):
        answer = caller.stream(trial.order.device, PRESET)
    if not answer.is_success:
        trial.out.unsupported(answer.text, CURRENT)
    elif answer.facts["stream"] != stream:
        given = "NULL" if not answer.facts["stream"] else "another stream"
        observed = f"{tables.STREAM} gave {given} while the library worked on a stream of its user's"
        trial.out.violated(CURRENT, observed, "the stream that the library works on")


def _conversions(trial, work, caller):
    """(name, call) of the functions that the table has."""
    source = CudaSource(trial, work.machine, work.place.start)
    found = [
        (tables.EXPORT, lambda: caller.export(work.array)),
        (tables.IMPORT, lambda: caller.import_(source.managed())),
    ]
    if caller.table.functions[tables.BORROW]:
        found.append((tables.BORROW, lambda: caller.borrow(work.array, 0)))
    return found
