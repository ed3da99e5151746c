"""Producers on a GPU: copies on a stream, and copies to the host, of arrays that a late writer is still writing."""

from dlspec_worker.cuda.contents import Place
from dlspec_worker.cuda.machine import LATE
from dlspec_worker.cuda.unfinished import Unfinished
from dlspec_worker.exports import exporting
from dlspec_worker.facts.dlpack import CPU
from dlspec_worker.producer import transfers
from dlspec_worker.producer.cuda_streams import COMPLETE, READY, begun, unless_destroyed, what_is_seen
from dlspec_worker.trial.variants import variant

ON_STREAM, TO_HOST, EARLY = "python.copy-on-stream", "python.dl-device-cpu", "stream.dl-device-cpu"


@variant("producer", "cuda-copy")
def copy(trial):
    """Array API 2023.12, __dlpack__, copy: a copy of a producer that understands streams runs on the one given."""
    work = begun(trial)
    machine, stream = work.machine, work.machine.stream()
    if exporting.below_edition(trial, work.array, "copy"):
        return
    refusal, problem = what_is_seen(trial, work, stream, stream=stream)
    if refusal or problem:
        trial.out.blocked(f"by {READY}" if problem else "by the refusal of every stream", ON_STREAM)
        return
    work.begin()
    machine.delay(stream, 4 * LATE)
    made = work.call(stream=stream, copy=True)
    if made.refusal:
        trial.out.unsupported(f"a copy is refused: {made.refusal.text}", ON_STREAM)
        return
    unless_destroyed(trial, work, stream)
    if Place(made.facts).start == work.place.start:
        trial.out.blocked("by python.copy-true: nothing was copied", ON_STREAM)
        return
    machine.synchronise(work.stream)
    seen = Place(made.facts).elements(machine, machine.stream())
    if seen == trial.order.bytes and not machine.is_idle(stream):
        observed = "the copy was made while earlier work on the stream given was not done"
        trial.out.violated(ON_STREAM, observed, "a copy that is queued on that stream")
    elif work.seen_on(stream, made) != trial.order.bytes:
        observed = "work on the stream given saw a copy that was not made yet"
        trial.out.wrong_value(ON_STREAM, observed, COMPLETE)
    trial.out.pass_(ON_STREAM)


@variant("producer", "cuda-to-host")
def to_host(trial):
    """Array API 2023.12, __dlpack__, dl_device and stream: an export to the host is complete when the call returns."""
    work = Unfinished(trial)
    if exporting.below_edition(trial, work.array, "dl_device"):
        return
    work.begin()
    made = work.call(dl_device=CPU)
    if made.refusal:
        observed = f"{made.call} of an array on device {trial.order.device} raised {made.refusal.text}"
        trial.out.violated(TO_HOST, observed, "an export in host memory")
        trial.out.not_applicable(*trial.out.rest())
        return
    transfers.judge_transfer(trial, trial.order.device, work.settled, made, work.machine.settle)
    trial.out.not_applicable(transfers.COPIED)
    trial.out.pass_(*trial.out.rest())
