"""Consumers on a GPU: the stream that they send, the stream that they use, and when they release."""

import contextlib

from dlspec_worker.cuda.driver import PER_THREAD
from dlspec_worker.cuda.source import CudaSource
from dlspec_worker.cuda.unfinished import canary_of, machine_of
from dlspec_worker.facts import wording
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import settle

OWN, RELEASE = "stream.consumer-passes-its-own", "stream.release-after-work"
REUSED = 0xA5  # what the owner of released memory writes there


@variant("consumer", "cuda-read", "cuda-read=default")
def read(trial):
    """Python specification, Semantics: the stream that a consumer passes is the one on which it uses the data."""
    machine = machine_of(trial)
    stream = None if trial.variant.endswith("default") else machine.stream()
    block = _Block(trial, machine)
    with _working_on(trial, stream):
        if not _reads_settled(trial, block):
            return
        source, refusal, found = _read_late(trial, block)
    _judge_numbers(trial, source)
    if refusal or found is None:
        trial.out.unsupported(f"the import was refused: {refusal.text}" if refusal else "it cannot be read", OWN)
    elif found != trial.order.bytes:
        observed = f"{_sent_text(source)} was sent, and the import was read before the data was written"
        trial.out.wrong_value(OWN, observed, "a read on the stream that was sent")
    trial.out.pass_(*trial.out.rest())


def _read_late(trial, block):
    """(source, refusal, elements) of an import while a writer is late."""
    source = block.written_late()
    array, refusal = trial.library.from_dlpack(source)
    found = None if refusal else trial.library.imported_contents(array)[0]
    del array
    block.machine.use()
    block.machine.settle()
    return source, refusal, found


def _judge_numbers(trial, source):
    for rule, observed in source.problems:
        trial.out.violated(rule, observed, "None, -1, 1, 2, or the handle of a stream")


def _sent_text(source):
    sent = source.asked[-1] if source.asked else None
    is_handle = isinstance(sent, int) and sent > PER_THREAD
    return f"stream={'HANDLE' if is_handle else wording.of_repr(sent)}"


def _working_on(trial, stream):
    return contextlib.nullcontext() if stream is None else trial.library.on_stream(stream)


class _Block:
    """Memory of the GPU that holds the ordered elements, or will."""

    def __init__(self, trial, machine):
        self._trial, self.machine = trial, machine
        self.size = len(trial.order.bytes)
        self.address = machine.allocate(self.size)

    def written(self):
        """A source whose elements are there."""
        self.machine.fill(self.address, self._trial.order.bytes)
        return CudaSource(self._trial, self.machine, self.address)

    def written_late(self):
        """A source whose elements are the canary until the writer has come."""
        self.machine.fill(self.address, canary_of(self._trial.order.bytes))
        writer = self.machine.stream()
        self.machine.write_late(writer, self.address, self._trial.order.bytes)
        return CudaSource(self._trial, self.machine, self.address, writer)


def _reads_settled(trial, block):
    """True when the import of elements that are there already shows them; else the case is answered."""
    array, refusal = trial.library.from_dlpack(block.written())
    if refusal:
        trial.out.unsupported(f"the import was refused: {refusal.text}", *trial.out.rest())
        return False
    found, reason = trial.library.imported_contents(array)
    if found is None:
        trial.out.unsupported(reason, *trial.out.rest())
    elif found != trial.order.bytes:
        trial.out.blocked("by the elements of every import", *trial.out.rest())
    return found == trial.order.bytes


@variant("consumer", "cuda-release")
def release(trial):
    """dlpack.h 0.2, DLManagedTensor: what is released is the owner's again, at once or on the stream that was sent."""
    machine = machine_of(trial)
    stream = machine.stream()
    block = _Block(trial, machine)
    with _working_on(trial, stream):
        if not _reads_settled(trial, block):
            return
        source, _, found = _read_late(trial, block)
        if source.problems or found != trial.order.bytes:
            trial.out.blocked(f"by {source.problems[0][0] if source.problems else OWN}", RELEASE)
            return
        source = block.written()
        source.on_release = lambda: _reuse(machine, source, block)
        array, refusal = trial.library.from_dlpack(source)
        if refusal:
            raise Unsupported(f"the import was refused: {refusal.text}")
        machine.settle()
        machine.delay(stream)
        made = trial.library.queue_copy(array)
        array = None
        settle(lambda: source.released == source.handed_out, 0.2)
        _finish_reuse(machine, source)
        found = trial.library.imported_contents(made)[0]
    machine.use()
    machine.settle()
    if found is None:
        trial.out.unsupported("the copy cannot be read", RELEASE)
    elif found != trial.order.bytes:
        observed = "a copy that was queued before the release shows what the owner wrote after it"
        trial.out.wrong_value(RELEASE, observed, "a release that waits for queued work, or is ordered after it")
    trial.out.pass_(RELEASE)


def _reuse(machine, source, block):
    """The owner uses the memory again: on the consumer's stream, or at once where the consumer named none."""
    machine.use()
    named = source.stream_of_consumer()
    stream = machine.stream() if named is None else named
    machine.overwrite(stream, block.address, REUSED, block.size)
    if named is None:
        machine.synchronise(stream)


def _finish_reuse(machine, source):
    """What the owner has queued happens, before the copy is asked for."""
    machine.use()
    named = source.stream_of_consumer()
    if named is not None:
        machine.synchronise(named)
