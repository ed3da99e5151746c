"""Judges one library: loads it by its adapter, and answers each case by the function of its variant."""

from dlspec_worker import consumer, known, producer
from dlspec_worker.channel import conversation, loading
from dlspec_worker.cuda import machine
from dlspec_worker.imports import conduct
from dlspec_worker.subject import elsewhere, nearest
from dlspec_worker.subject.library import Library, introduction
from dlspec_worker.trial import variants
from dlspec_worker.trial.case import Trial, answer, order_of

variants.discover(producer, consumer)


def run(descriptor):
    """Serves the channel until its end. Returns the exit status."""
    return conversation.run(descriptor, _load, judge)


def _load(native, start):
    library = Library(loading.load_adapter(start["path"]), start["path"])
    library.machine = machine.asked()
    return library, introduction(library)


def judge(case, library, native):
    """The answer to one case, without number and pid."""
    if "known" in case:
        library = known.library(native, case["known"])
    trial = Trial(case, order_of(case["spec"]), library, native)
    function = variants.find(case["role"], case["variant"])
    if function is None:
        trial.out.blocked(f"this worker does not know the variant {case['variant']}", *trial.out.rules)
        return {"outcomes": trial.out.complete()}
    answered = answer(trial.out, lambda: _carry_out(function, trial, case["role"]))
    if trial.report:
        answered["sequence"] = trial.report
    if trial.table_calls:
        answered["table_calls"] = trial.table_calls
    return answered


def _carry_out(function, trial, role):
    if role == "producer":
        trial.order = _makeable(trial.library, trial.order)
        trial.plain = trial.plain and _makeable(trial.library, trial.plain)
        function(trial)
    else:
        conduct.watched(trial, lambda: function(trial))


def _makeable(library, order):
    return nearest.choose_plainest(library, elsewhere.at_home(library, order))
