"""Producers: the stream that the exchange table names for a device."""

from dlspec_worker.exchange_api import calls, tables
from dlspec_worker.facts.dlpack import CPU, NOBODY
from dlspec_worker.trial.variants import variant

PRESET = 0xDEADBEE0


@variant("producer", "table-stream")
def host(trial):
    """dlpack.h 1.2, DLPackCurrentWorkStream: for kDLCPU success and NULL will do."""
    rule = "exchange.stream-cpu"
    caller = calls.caller_for(trial, trial.library.make(trial.order))
    answers = [caller.stream(CPU, PRESET) for _ in range(3)]  # the answer may be remembered
    caller.close()
    if any(answer.is_success and answer.facts["stream"] == PRESET for answer in answers):
        observed = f"{tables.STREAM} succeeded for the host and left the caller's variable as it was"
        trial.out.violated(rule, observed, "NULL, a stream, or a failure")
    trial.out.pass_(rule)


@variant("producer", "table-stream=unknown-device")
def unknown(trial):
    """dlpack.h 1.2, DLPackCurrentWorkStream, return value: -1 with a Python exception."""
    caller = calls.caller_for(trial, trial.library.make(trial.order))
    caller.stream(NOBODY, PRESET)
    caller.close()
