"""Producers: the stream that the exchange table names for a device."""

from dlspec_worker.exchange_api import calls, tables
from dlspec_worker.facts.dlpack import CPU, NOBODY
from dlspec_worker.trial.variants import variant

PRESET = 0xDEADBEE0
ON_HOST = "exchange.stream-cpu"


@variant("producer", "table-stream")
def host(trial):
    """dlpack.h 1.2, DLPackCurrentWorkStream: for kDLCPU success and NULL will do."""
    caller = calls.caller_for(trial, trial.library.make(trial.order))
    answers = [caller.stream(CPU, PRESET) for _ in range(3)]  # the answer may be remembered
    caller.close()
    if any(answer.is_success and answer.facts["stream"] == PRESET for answer in answers):
        observed = f"{tables.STREAM} succeeded for the host and left the caller's variable as it was"
        trial.out.violated(ON_HOST, observed, "NULL, a stream, or a failure")
    trial.out.pass_(ON_HOST)


@variant("producer", "table-stream=unknown-device")
def unknown(trial):
    """dlpack.h 1.2, DLPackCurrentWorkStream, return value: -1 with a Python exception."""
    caller = calls.caller_for(trial, trial.library.make(trial.order))
    before = caller.stream(CPU, PRESET)
    caller.stream(NOBODY, PRESET)
    after = caller.stream(CPU, PRESET)
    caller.close()
    if before.is_success != after.is_success:
        observed = f"{tables.STREAM} answered another status for the host after a call for an unknown device"
        trial.out.violated(ON_HOST, observed, "the same status")
    trial.out.pass_(ON_HOST)
