"""Producers on a GPU: what __dlpack__ makes of its stream, seen by work on that stream while a writer is late."""

import time

from dlspec_worker.cuda.driver import LEGACY, PER_THREAD
from dlspec_worker.cuda.unfinished import Unfinished
from dlspec_worker.facts import wording
from dlspec_worker.imports.importing import collect
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant

VALUES, READY, NONE, KEPT = (
    "stream.cuda-values",
    "stream.data-ready",
    "stream.none-means-legacy",
    "stream.ownership",
)
NO_WAIT = "stream.minus-one-no-sync"
COMPLETE = "the elements as the writer leaves them"


def begun(trial):
    """An array with a late writer; the case is over where __dlpack__ knows no streams at all."""
    work = Unfinished(trial)
    if not work.takes_streams():
        raise Unsupported("__dlpack__ does not take stream")
    return work


def what_is_seen(trial, work, on, **keywords):
    """(refusal, None), or (None, what is wrong with what work on this stream sees of an export).

    The export is made while the writer is late.
    """
    work.begin()
    made = work.call(**keywords)
    if made.refusal:
        return made.refusal, None
    unless_destroyed(trial, work, on)
    seen = work.seen_on(on, made)
    if seen == trial.order.bytes:
        return None, None
    return None, f"{_call_text(keywords)}: work on that stream saw {_elements_text(work, trial, seen)}"


def unless_destroyed(trial, work, stream):
    """Ends the case where the producer has destroyed the stream, which a case of its own reports."""
    if not work.machine.is_stream(stream):
        trial.out.blocked(f"by {KEPT}", *trial.out.rest())
        raise Unsupported("the stream is gone")


def _call_text(keywords):
    number = keywords.get("stream")
    shown = "HANDLE" if number is not None and number > PER_THREAD else wording.of_repr(number)
    return f"__dlpack__(stream={shown})" if "stream" in keywords else "__dlpack__()"


def _elements_text(work, trial, seen):
    work.machine.settle()
    return "elements that were not written yet" if seen != trial.order.bytes else "other elements"


@variant("producer", "cuda-stream=handle")
def handle(trial):
    """Array API 2021.12, __dlpack__, stream: work on the stream given, queued after the call, sees complete data."""
    work = begun(trial)
    stream = work.machine.stream()
    refusal, problem = what_is_seen(trial, work, stream, stream=stream)
    if refusal:
        trial.out.unsupported(f"a stream is refused: {refusal.text}", READY)
    elif problem:
        trial.out.wrong_value(READY, problem, COMPLETE)
    trial.out.pass_(READY)


@variant("producer", "cuda-stream=1", "cuda-stream=2")
def numbered(trial):
    """The same: 1 is the legacy default stream, 2 the per-thread default stream."""
    number = {"1": LEGACY, "2": PER_THREAD}[trial.variant.partition("=")[2]]
    work = begun(trial)
    other = work.machine.stream()
    refusal, problem = what_is_seen(trial, work, other, stream=other)
    if problem:
        trial.out.blocked(f"by {READY}", VALUES)
        return
    refusal, problem = what_is_seen(trial, work, number, stream=number)
    if refusal:
        trial.out.unsupported(f"stream={number} is refused: {refusal.text}", VALUES)
    elif problem:
        trial.out.wrong_value(VALUES, problem, COMPLETE)
    trial.out.pass_(VALUES)


@variant("producer", "cuda-stream=none")
def unnamed(trial):
    """The same: None, said or not, is the legacy default stream."""
    work = Unfinished(trial)
    for keywords in ({}, {"stream": None}):
        refusal, problem = what_is_seen(trial, work, LEGACY, **keywords)
        if refusal:
            trial.out.unsupported(f"{_call_text(keywords)} is refused: {refusal.text}", NONE)
        elif problem:
            trial.out.wrong_value(NONE, problem, f"{COMPLETE}, on the legacy default stream")
    trial.out.pass_(NONE)


@variant("producer", "cuda-stream=0")
def zero(trial):
    """The same: 0 could mean None, 1 or 2."""
    rule = "stream.cuda-zero-refused"
    work = begun(trial)
    stream = work.machine.stream()
    if work.refusal_of(stream=stream):
        trial.out.unsupported("every stream is refused", rule)
    elif work.refusal_of(stream=0) is None:
        trial.out.violated(rule, "__dlpack__(stream=0) was accepted", "an exception: 0 is ambiguous")
    trial.out.pass_(rule)


@variant("producer", "cuda-stream=-2")
def below_range(trial):
    """The same: no integer below -1 means anything."""
    rule = "stream.range"
    work = begun(trial)
    if work.refusal_of(stream=work.machine.stream()):
        trial.out.unsupported("every stream is refused", rule)
    elif work.refusal_of(stream=-2) is None:
        trial.out.violated(rule, "__dlpack__(stream=-2) was accepted", "an exception")
    trial.out.pass_(rule)


@variant("producer", "cuda-stream=-1")
def unsynchronised(trial):
    """The same: on -1 the producer neither waits itself nor makes a stream wait."""
    work = begun(trial)
    refusal = work.refusal_of(stream=-1)
    if refusal:
        trial.out.unsupported(f"stream=-1 is refused: {refusal.text}", NO_WAIT)
        return
    for microseconds in (50_000, 400_000, 1_600_000):
        observed, is_certain = _waited(work, microseconds)
        if observed is None or is_certain:
            break
    if observed:
        trial.out.violated(NO_WAIT, observed, "a return at once, with no stream ordered after another")
    trial.out.pass_(NO_WAIT)


def _waited(work, microseconds):
    """(what was waited for, or None; whether a call as long as an ordinary one would not have shown the same)."""
    began = time.monotonic()
    work.refusal_of(stream=-1)
    ordinary = time.monotonic() - began
    work.begin(microseconds)
    work.call(stream=-1)
    waited = work.waited_for()
    work.machine.settle()
    return waited and f"__dlpack__(stream=-1) {waited}", ordinary < microseconds / 4e6


@variant("producer", "cuda-stream=kept")
def ownership(trial):
    """The same: the stream is the consumer's, who may destroy it as soon as the call has returned."""
    work = begun(trial)
    machine, stream = work.machine, work.machine.stream()
    before = machine.misuses()
    made = work.call(stream=stream)
    if made.refusal:
        trial.out.unsupported(f"a stream is refused: {made.refusal.text}", KEPT)
        return
    machine.settle()
    if not machine.is_stream(stream):
        trial.out.violated(KEPT, "the stream was destroyed by __dlpack__", "a stream that is the consumer's still")
        return
    machine.destroy(stream)
    made.drop()
    work.forget()
    collect()
    machine.use()
    machine.settle()
    if machine.misuses() != before:
        observed = "the stream was used by the producer after the consumer had destroyed it"
        trial.out.violated(KEPT, observed, "no use of the stream after __dlpack__ has returned")
    trial.out.pass_(KEPT)
