"""Producers: the deleter as a C function: what escapes from it, and calls after the interpreter has ended."""

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.trial.attempts import attempt, unraisable
from dlspec_worker.trial.variants import variant

# What may have deleters of their own: copies, exports that must not be copies, legacy structs.
OTHERS = ({"max_version": NEWEST, "copy": True}, {"max_version": NEWEST, "copy": False}, {})


@variant("producer", "callback")
def callback(trial):
    """dlpack.h, extern "C": the deleter follows the C calling convention and lets no exception out."""
    nothrow, convention = "managed.deleter-nothrow", "abi.c-linkage-callbacks"
    array = trial.library.make(trial.order)
    made = exporting.newest_with_deleter(trial, array, nothrow, convention)
    _judge_call(trial, made)
    for keywords in OTHERS:
        made = Export(trial, array, keywords)
        if made.generation and not made.facts["null_deleter"] and not trial.out.is_violated(nothrow):
            _judge_call(trial, made)
    trial.out.pass_(nothrow, convention)


def _judge_call(trial, made):
    nothrow, convention = "managed.deleter-nothrow", "abi.c-linkage-callbacks"
    watch, misfit = attempt(trial.native.watch, made.capsule)
    if misfit:
        return
    watch.take()
    made.drop()
    _, raised = unraisable(watch.release)
    if watch.threw:
        trial.out.violated(nothrow, f"the deleter threw {watch.threw}", "a deleter that throws nothing")
    elif raised:
        observed = f"the deleter raised {raised[0]}, which nobody can catch"
        trial.out.violated(nothrow, observed, "a deleter that raises nothing", "deleter-prints")
    if watch.damaged:
        observed = f"the deleter changed {watch.damaged}"
        trial.out.violated(convention, observed, "what the platform's C calling convention keeps")
    elif not watch.sees_registers:
        trial.out.unsupported("dlspec does not know which registers a function keeps on this processor", convention)


@variant("producer", "after-finalize")
def after_finalize(trial):
    """Python specification, Implementation, sample of a deleter: it may be called when the interpreter has ended.

    The extension calls it then, and reports before and after the call; the way in which the worker ends decides.
    """
    rule = "managed.deleter-after-finalize"
    array = trial.library.make(trial.order)
    made = exporting.newest_with_deleter(trial, array, rule)
    watch = trial.native.watch(made.capsule)
    if not watch.compiled:
        trial.out.unsupported(
            "the deleter is made at run time, by ctypes or its like, and ends with the interpreter", rule
        )
        return
    watch.take()
    watch.hold()
    trial.out.pass_(rule)
