"""What the cases are judged by: the library of one adapter, and the functions of the variants."""

from dlspec_worker import cases, conversation, known, loading
from dlspec_worker import producer_copies, producer_keywords, producer_lifetime, producer_structs  # noqa: F401
from dlspec_worker import producer_arguments, producer_errors, producer_release  # noqa: F401
from dlspec_worker import producer_dtypes, producer_odd  # noqa: F401
from dlspec_worker import consumer_asking, consumer_copies, consumer_failures, consumer_streams  # noqa: F401
from dlspec_worker import consumer_keywords, consumer_onward, consumer_ranges  # noqa: F401
from dlspec_worker import consumer_devices, consumer_dtypes, consumer_flags, consumer_managed  # noqa: F401
from dlspec_worker import consumer_places  # noqa: F401
from dlspec_worker import consumer_fences, consumer_leaks, consumer_threads  # noqa: F401
from dlspec_worker import producer_callbacks, producer_leaks, producer_threads  # noqa: F401
from dlspec_worker import consumer_capsules, consumer_imports, consumer_protocol, consumer_structs  # noqa: F401
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
