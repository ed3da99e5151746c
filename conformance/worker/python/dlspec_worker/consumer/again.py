"""Consumers: the memory of an import that lives, offered once more as another array."""

from dlspec_worker.facts import elements, values, wording
from dlspec_worker.facts.dlpack import READ_ONLY
from dlspec_worker.imports.importing import Import, unless_refused
from dlspec_worker.imports.reading import writability
from dlspec_worker.imports.source import Forwarder, Source
from dlspec_worker.trial.variants import variant


@variant("consumer", "same-memory")
def same_memory(trial):
    """dlpack.h, DLTensor: each struct describes a tensor by itself, whatever else was imported from that memory."""
    rule = "tensor.element-address"
    rows = values.order(trial.order, shape=(3, 3), strides=(3, 1), offset=0)
    numbers = elements.in_reversed_axes(rows)
    columns = values.changed(rows, strides=(1, 3), bytes=numbers)
    whole = values.changed(rows, dtype="uint32")
    for generation in (None, "legacy"):
        for what, first, second in (
            ("columns in place of rows", rows, columns),
            ("rows in place of columns", columns, rows),
            ("integers in place of floats", rows, whole),
        ):
            _judge_again(trial, rule, what, generation, first, second)
        _judge_other_offset(trial, rule, generation, rows)
    _judge_protected(trial, "flags.read-only-respected", rows)
    _judge_moved(trial, rule, rows, values.changed(rows, bytes=rows.bytes[::-1]))
    trial.out.pass_(rule)
    trial.out.not_applicable("flags.read-only-respected")


def _judge_protected(trial, rule, order):
    """Memory that an import may write is offered once more as READ_ONLY: each import keeps to its own struct."""
    inner = trial.again(order)
    protected = Source(inner, "versioned", flags=READ_ONLY)
    alone = Import(inner, protected)
    protected.let_write()
    if alone.refusal or writability(inner, alone.array) is not False:
        return  # the flag is never honoured, or nothing tells
    source = Source(inner, "versioned")
    writable = Import(inner, source)
    if writable.refusal or source.is_released():
        return
    done = Import(inner, Source(inner, "versioned", flags=READ_ONLY, data=source.offers[0].data_address))
    if not done.refusal and writability(inner, done.array):
        observed = "READ_ONLY elements may be written, because an import that may write them lives"
        trial.out.violated(rule, observed, "READ_ONLY honoured, as for other memory")


def _judge_moved(trial, rule, first, second):
    """The memory of an exporter is another one from some moment on, as that of an array which has grown."""
    sources = [Source(trial.again(order)) for order in (first, second)]
    exporter = Forwarder(sources[0])
    alive, refusal = trial.library.from_dlpack(exporter)
    if refusal is None and trial.library.imported_contents(alive)[0] == first.bytes:
        exporter.array = sources[1]
        again, refusal = trial.library.from_dlpack(exporter)
        shown = None if refusal else trial.library.imported_contents(again)[0]
        if shown not in (None, second.bytes) and not _is_wrong_alone(trial.again(second), None, second):
            observed = f"of an exporter that has other memory than before: {wording.of_bytes(shown, second.bytes)}"
            trial.out.violated(rule, observed, "the elements that it exports now")
        del again
    del alive
    for source in sources:
        source.forget_capsules()


def _judge_again(trial, rule, what, generation, first, second):
    source = Source(trial.again(first), generation)
    alive = Import(trial.again(first), source)
    if alive.refusal and generation:
        return
    unless_refused(trial, alive)
    if trial.library.imported_contents(alive.array)[0] != first.bytes:
        trial.out.blocked("by the elements of the import that lives", rule)
        return
    if source.is_released():
        return  # a copy holds no memory of the source
    other = trial.again(second)
    done = Import(other, Source(other, generation, data=source.offers[0].data_address))
    shown = None if done.refusal else trial.library.imported_contents(done.array)[0]
    if shown in (None, second.bytes) or _is_wrong_alone(other, generation, second):
        return
    observed = f"{what} of memory that an import still holds: {wording.of_bytes(shown, second.bytes)}"
    trial.out.violated(rule, observed, "the elements that this struct leads to")


def _judge_other_offset(trial, rule, generation, square):
    """Two rows of a square, beside an import that differs in byte_offset alone."""
    whole = Source(trial.again(square), generation)
    alive = Import(trial.again(square), whole)
    if alive.refusal or whole.is_released():
        return
    row = len(square.bytes) // 3
    first, last = (
        trial.again(values.changed(square, shape=(2, 3), bytes=square.bytes[place : place + 2 * row]))
        for place in (0, row)
    )
    place = {"data": whole.offers[0].data_address}

    def shown_now():
        return _shown(last, generation, byte_offset=row, **place)

    if shown_now() != last.order.bytes:
        return  # refused, or wrong by itself
    beside = Import(first, Source(first, generation, byte_offset=0, **place))
    if whole.offers[0].contents() != square.bytes:
        return  # the memory was written to
    if not beside.refusal and trial.library.imported_contents(beside.array)[0] not in (None, first.order.bytes):
        observed = "the import before of that memory had another byte_offset, and its elements are shown"
        trial.out.violated(rule, observed, "the elements that this struct leads to")
    shown = shown_now()
    is_refused = beside.refusal is not None
    beside.drop()
    beside.source.forget_capsules()
    # Where it is wrong by itself now, the memory was written to.
    if not is_refused and shown not in (None, last.order.bytes) and shown_now() == last.order.bytes:
        observed = "another byte_offset of memory that an import still holds"
        observed = f"{observed}: {wording.of_bytes(shown, last.order.bytes)}"
        trial.out.violated(rule, observed, "the elements that this struct leads to")


def _shown(trial, generation, **changes):
    done = Import(trial, Source(trial, generation, **changes))
    return None if done.refusal else trial.library.imported_contents(done.array)[0]


def _is_wrong_alone(trial, generation, order):
    done = Import(trial, Source(trial, generation))
    return done.refusal is None and trial.library.imported_contents(done.array)[0] != order.bytes
