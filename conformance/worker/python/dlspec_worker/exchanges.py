"""Judges a pair of libraries: arrays of the producer are handed to from_dlpack of the consumer, as a user does it."""

from dlspec_worker import exchange
from dlspec_worker.channel import conversation, loading
from dlspec_worker.exchange.pair import Exchange
from dlspec_worker.subject import own
from dlspec_worker.subject.library import Library, introduction
from dlspec_worker.trial import variants
from dlspec_worker.trial.case import answer

variants.discover(exchange)


def run(descriptor):
    """Serves the channel until its end. Returns the exit status."""
    return conversation.run(descriptor, _load, judge)


def _load(native, start):
    producer = _library(native, start["path"], "dlspec_producer")
    same = start["consumer"] == start["path"]
    consumer = producer if same else _library(native, start["consumer"], "dlspec_consumer")
    return (producer, consumer), introduction(producer)


def _library(native, path, name):
    return Library(loading.load_adapter(path, name), path) if path else own.library(native)


def judge(case, pair, native):
    """The answer to one case, without number and pid."""
    made = Exchange(case, *pair, native)
    function = variants.find("exchange", case["variant"])
    answered = answer(made.out, lambda: function(made))
    if made.observed:
        answered["came"] = made.observed
    return answered
