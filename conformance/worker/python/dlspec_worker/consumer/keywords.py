"""Consumers: the keywords of from_dlpack, sources that fail, and the re-export of an import."""

import itertools

from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import dlpack
from dlspec_worker.facts.dlpack import PADDED, READ_ONLY, UNDEFINED_CODE, DtypeCode
from dlspec_worker.imports import views
from dlspec_worker.imports.importing import Import, refused, unless_refused
from dlspec_worker.imports.source import KnowsVersionsAlone, Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant


def taken_plainly(trial):
    """True when the import works without keywords; else everything is answered as refused."""
    done = Import(trial, Source(trial))
    if done.refusal:
        refused(trial, done)
    return done.refusal is None


def of_2023(trial):
    """True when from_dlpack takes the keywords of the array API 2023.12; else its later rules do not apply."""
    if not taken_plainly(trial):
        return False
    if Import(trial, Source(trial), device=None, copy=None).refusal is None:
        return True
    trial.out.not_applicable(*trial.out.rest())
    return False


@variant("consumer", "keywords=none")
def all_none(trial):
    """Array API 2023.12, from_dlpack: device and copy, where None means the same as leaving it out."""
    rule = "python.from-dlpack-kwargs"
    if not taken_plainly(trial):
        return
    done = Import(trial, Source(trial), device=None, copy=None)
    if done.refusal and (done.refusal.is_a(NotImplementedError) or done.source.declined_to_copy):
        refused(trial, done)  # the adapter says that the library has no such keywords, or this source cannot serve it
    elif done.refusal:
        taken = [name for name in ("device", "copy") if Import(trial, Source(trial), **{name: None}).refusal is None]
        observed = f"{done.refusal.text}; it takes {', '.join(taken) or 'neither'}: edition 2021.12 is reached"
        trial.out.violated(rule, observed, "device and copy, also as None")
    elif trial.library.imported_contents(done.array)[0] not in (None, *_shown_plainly(trial)):
        trial.out.wrong_value(rule, "with both spelled None the import shows other elements", "the same import")
    if not done.refusal:
        _judge_retry(trial, rule)
    trial.out.pass_(rule)


def _judge_retry(trial, rule):
    """An exporter that knows max_version alone is asked for the same, whether None is spelled or left out."""
    plain, spelled = KnowsVersionsAlone(trial), KnowsVersionsAlone(trial)
    done = [Import(trial, plain), Import(trial, spelled, device=None, copy=None)]
    if any(each.refusal for each in done):
        return
    last = [source.asked[-1]["max_version"] for source in (plain, spelled)]
    if last[0] is not None and last[1] is None:
        observed = "an exporter that knows max_version alone is asked without it once copy=None is spelled"
        trial.out.violated(rule, observed, "the call that is made without the keyword")


def _shown_plainly(trial):
    """The elements that an import should show, and those that an import without keywords shows."""
    plain = Import(trial, Source(trial))
    return trial.order.bytes, None if plain.refusal else trial.library.imported_contents(plain.array)[0]


@variant("consumer", "device=nowhere")
def device_nowhere(trial):
    """Array API 2023.12, from_dlpack, device: the result cannot be on a device that does not exist."""
    rule = "python.from-dlpack-device-honoured"
    if not of_2023(trial):
        return
    if Import(trial, Source(trial), device="dlspec-nowhere").refusal is None:
        trial.out.violated(rule, "an array came back for a device that does not exist", "an exception")
    trial.out.pass_(rule)


@variant("consumer", "no-methods")
def no_methods(trial):
    """Array API 2023.12, from_dlpack, Raises: AttributeError for an object without the methods."""
    rule = "python.from-dlpack-attributeerror"
    if not of_2023(trial):
        return
    _, refusal = trial.library.from_dlpack(object())
    if refusal is None:
        trial.out.violated(rule, "an object without the methods was imported", "AttributeError")
    elif not refusal.is_a(AttributeError):
        trial.out.violated(rule, f"an object without the methods: {refusal.text}", "AttributeError")
    else:
        _judge_half(trial, rule)
    trial.out.pass_(rule)


class Half:
    """An exporter without __dlpack_device__, which not every library asks."""

    def __init__(self, source):
        self._source = source

    def __dlpack__(self, **keywords):
        return self._source.__dlpack__(**keywords)


def _judge_half(trial, rule):
    _, refusal = trial.library.from_dlpack(Half(Source(trial)))
    if refusal is not None and not refusal.is_a(AttributeError):
        observed = f"an object without __dlpack_device__: {refusal.text}, and AttributeError without both methods"
        trial.out.violated(rule, observed, "AttributeError")


class Raised(Exception):
    """An exception that no library knows, and so has no reason to catch."""


class RaisedBufferError(BufferError):
    """The standard's own error, recognisable among all others."""


class RaisedStopIteration(StopIteration):
    """What a generator turns into RuntimeError."""


class RaisingSource(Source):
    """Raises from one of its methods, always."""

    def __init__(self, trial, method, error=Raised):
        super().__init__(trial)
        self._method = method
        self._error = error
        self.raised = False

    def __dlpack__(self, **keywords):
        self._raise_in("__dlpack__")
        return super().__dlpack__(**keywords)

    def __dlpack_device__(self):
        self._raise_in("__dlpack_device__")
        return super().__dlpack_device__()

    def relents(self):
        return not self.raised and super().relents()  # the caller has what was raised: nothing else is tried

    def _raise_in(self, method):
        if method == self._method:
            self.raised = True
            raise self._error("the source does not want to")


@variant("consumer", "source-raises")
def source_raises(trial):
    """Array API 2023.12, from_dlpack, Raises: what the two methods raise reaches the caller."""
    rule = "python.from-dlpack-propagates"
    if not of_2023(trial):
        return
    for method in ("__dlpack__", "__dlpack_device__"):
        for error in (Raised, RaisedBufferError, RaisedStopIteration):
            lost = what_became(trial, method, error)
            if lost:
                trial.out.violated(rule, lost, "the same exception")
    trial.out.pass_(rule)


def what_became(trial, method, error):
    """How an exception of the source got lost, as a text; None when it reached the caller or was not raised.

    Not every library calls __dlpack_device__: NumPy reads the device from the capsule alone.
    """
    source = RaisingSource(trial, method, error)
    done = Import(trial, source)
    if not source.raised or (done.refusal and done.refusal.is_a(error)):
        return None
    kind = {RaisedBufferError: "a BufferError", RaisedStopIteration: "a StopIteration"}.get(error, "an exception")
    return f"{kind} of {method} " + (f"became {done.refusal.text}" if done.refusal else "vanished")


@variant("consumer", "float-width")
def float_width(trial):
    """dlpack.h 1.1, kDLFloat6_e2m3fn and its neighbours: the consumer stops when the width is unexpected."""
    rule = "dtype.fp6-fp4-consumer-stops"
    if not taken_plainly(trial):
        return
    codes = (DtypeCode.kDLFloat6_e2m3fn, DtypeCode.kDLFloat6_e3m2fn, DtypeCode.kDLFloat4_e2m1fn)
    for code, flags in itertools.product(codes, (0, PADDED)):  # which tells how narrow elements lie, and not how wide
        source = Source(trial, "versioned", code=code, bits=8, flags=flags)
        done = Import(trial, source)
        if source.refused_the_question:
            refused(trial, done)
            return
        if done.refusal is None and Import(trial, Source(trial, code=UNDEFINED_CODE)).refusal is None:
            trial.out.blocked("by version.unknown-values-rejected", rule)
        elif done.refusal is None:
            beside = " beside PADDED" if flags else ""
            trial.out.violated(rule, f"dtype code {code} with 8 bits{beside} was imported", "a refusal")
    trial.out.pass_(rule)


@variant("consumer", "read-only-onward")
def read_only_onward(trial):
    """dlpack.h 1.0, DLPACK_FLAG_BITMASK_READ_ONLY: it also binds the next consumer of the same memory."""
    rule = "flags.read-only-propagated"
    source, onward = _onward(trial)
    if onward is None or onward.generation != "versioned":
        trial.out.unsupported("the import is not exported in a versioned capsule", rule)
        return
    judge_propagated(trial, source, onward)
    if not trial.out.is_passed(rule):
        return
    for what, changes in BESIDE_READ_ONLY:
        source, onward = _onward(trial, **changes)
        shared = onward is not None and onward.generation == "versioned" and is_in_memory_of(source, onward)
        if shared and not onward.is_flagged(READ_ONLY):
            observed = f"memory that came READ_ONLY {what} is exported without the flag, and with it elsewhere"
            trial.out.violated(rule, observed, "READ_ONLY, or a copy")
    done = Import(trial, Source(trial, "versioned"))
    words = views.without_flag(trial, done.array, READ_ONLY) if done.refusal is None else None
    if words:
        observed = f"{words} of memory that came READ_ONLY is exported without the flag"
        trial.out.violated(rule, observed, "READ_ONLY, or a copy")


BESIDE_READ_ONLY = (
    ("and IS_COPIED", {"flags": READ_ONLY | dlpack.IS_COPIED}),
    ("in a struct of version 1.99", {"version": (1, 99)}),
    ("in a struct of version 1.0", {"version": (1, 0)}),
)


def _onward(trial, **changes):
    """A read-only source, and the export of its import; None for one that is refused."""
    source = Source(trial, "versioned", **changes)
    done = Import(trial, source)
    if not changes:
        unless_refused(trial, done)
    onward, _ = attempt(Export, trial, done.array, {"max_version": dlpack.NEWEST})
    return source, onward


def is_in_memory_of(source, onward):
    return onward.first_element() in [offer.data_address for offer in source.offers]


def judge_propagated(trial, source, onward):
    """`onward`: an export of what was imported READ_ONLY."""
    rule = "flags.read-only-propagated"
    if not is_in_memory_of(source, onward):
        trial.out.not_applicable(rule)  # a copy, which may be written
    elif not onward.is_flagged(READ_ONLY):
        _judge_forgotten(trial, rule)
    trial.out.pass_(rule)


def _judge_forgotten(trial, rule):
    observed, allowed = "memory that came READ_ONLY is exported without the flag", "READ_ONLY, or a copy"
    if trial.library.has_no_read_only(trial.order):
        trial.out.info(rule, observed, f"{allowed}; the library has no read-only arrays", "no-read-only-arrays")
    else:
        trial.out.violated(rule, observed, allowed)
