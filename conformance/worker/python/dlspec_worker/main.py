"""What the cases are judged by: the library of one adapter, and the functions of the variants."""

from dlspec_worker import (  # noqa: F401
    cases,
    consumer_asking,
    consumer_capsules,
    consumer_copies,
    consumer_devices,
    consumer_dtypes,
    consumer_failures,
    consumer_fences,
    consumer_flags,
    consumer_imports,
    consumer_keywords,
    consumer_leaks,
    consumer_managed,
    consumer_onward,
    consumer_places,
    consumer_protocol,
    consumer_ranges,
    consumer_streams,
    consumer_structs,
    consumer_threads,
    conversation,
    known,
    loading,
    producer_arguments,
    producer_callbacks,
    producer_copies,
    producer_dtypes,
    producer_errors,
    producer_keywords,
    producer_leaks,
    producer_lifetime,
    producer_odd,
    producer_release,
    producer_structs,
    producer_threads,
)
from dlspec_worker.library import Library
from dlspec_worker.trial import Trial


def run(descriptor):
    """Serves the channel until its end. Returns the exit status."""
    return conversation.run(descriptor, _load, judge)


def _load(native, start):
    library = Library(loading.load_adapter(start["path"]), start["path"])
    return library, conversation.introduction(library)


def judge(case, library, native):
    """The answer to one case, without number and pid."""
    if "known" in case:
        library = known.library(native, case["known"])
    trial = Trial(case, conversation.order_of(case["spec"]), library, native)
    function = cases.find(case["role"], case["variant"])
    if function is None:
        trial.out.blocked(f"this worker does not know the variant {case['variant']}", *trial.out.rules)
        return {"outcomes": trial.out.complete()}
    return conversation.answer(trial.out, lambda: function(trial))
