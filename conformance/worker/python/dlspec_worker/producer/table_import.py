"""Producers: tensors that are given to the exchange table to become objects of its library."""

from dlspec_worker.exchange_api import calls, tables
from dlspec_worker.exchange_api.importing import Imported
from dlspec_worker.exchange_api.through import trial_aside
from dlspec_worker.facts.dlpack import UNDEFINED_CODE
from dlspec_worker.imports.importing import judge_shown_elements
from dlspec_worker.imports.offers import make_offer
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import settle

STEALS, FAILED, REFERENCE = "exchange.to-steals", "exchange.to-failure-ownership", "exchange.to-new-reference"
OWNS = "one call of the deleter, by the object, when it goes"


@variant("producer", "table-import")
def ordinary(trial):
    """dlpack.h 1.2, DLPackManagedTensorToPyObjectNoSync: it takes the tensor over and gives a new object."""
    array = calls.any_array(trial)
    caller = calls.caller_for(trial, array)
    offer = make_offer(trial, "versioned")
    done = Imported(caller, offer.capsule())
    caller.close()
    if not done.answer.is_success:
        done.release_if_left()
        trial.out.unsupported(done.answer.text, *trial.out.rest())
        return
    if done.object is None:
        trial.out.violated(REFERENCE, f"{tables.IMPORT} succeeded and gave no object", "a new reference")
        trial.out.blocked(f"by {REFERENCE}", *trial.out.rest())
        return
    _judge_object(trial, array, done)
    for judge in (_judge_beside_another, _judge_after_refusal):
        if trial.out.is_passed(STEALS):
            judge(trial, caller, array)
    trial.out.pass_(REFERENCE)


def _judge_beside_another(trial, caller, array):
    """The same while the object of another import lives."""
    kept = Imported(caller, make_offer(trial, "versioned").capsule())
    done = Imported(caller, make_offer(trial, "versioned").capsule())
    if done.answer.is_success and done.object is not None:
        _judge_object(trial, array, done)
    done.release_if_left()
    kept.release_if_left()
    kept.drop()


def _judge_after_refusal(trial, caller, array):
    """The same after a tensor that the library refuses. How it refuses is judged by the cases of such tensors."""
    aside = calls.Caller(trial_aside(trial), caller.table)
    for changes in REFUSED.values():
        refused = Imported(aside, make_offer(trial, "versioned", **changes).capsule())
        if not refused.answer.is_success:
            refused.release_if_left()
            break
        attempt(refused.drop)
    done = Imported(caller, make_offer(trial, "versioned").capsule())
    if done.answer.is_success and done.object is not None:
        _judge_object(trial, array, done)
    done.release_if_left()


def _judge_object(trial, array, done):
    if not _is_of_library(trial, array, done.object):
        observed = f"the object is of type {type(done.object).__name__}"
        trial.out.violated(REFERENCE, observed, f"the library's own tensor type, as {type(array).__name__}")
        trial.out.blocked(f"by {REFERENCE}", *trial.out.rest())
        return
    early = done.watch.calls and trial.library.imported_contents(done.object)[0] != trial.order.bytes
    if early:
        trial.out.blocked(f"by {STEALS}", "tensor.element-address")
    else:
        judge_shown_elements(trial, done.object)
    done.drop()
    if done.watch.calls == 0 and done.references > 1:
        observed = f"the object came with {done.references} references, and was never destroyed"
        trial.out.violated(REFERENCE, observed, "one reference, the caller's")
        trial.out.blocked(f"by {REFERENCE}", STEALS)
    elif early:
        trial.out.violated(STEALS, "the tensor was released while its object lived", OWNS)
    elif done.watch.repeated_calls:
        trial.out.violated(STEALS, f"the deleter was called {done.watch.calls} times", OWNS)
    elif done.watch.calls == 0:
        trial.out.violated(STEALS, "the tensor was never released", OWNS)
    trial.out.pass_(STEALS)


def _is_of_library(trial, array, other):
    """True for the type of the array, one with the same table, and any other type of the library that exports."""
    if isinstance(other, type(array)):
        return True
    own, table = tables.table_of(trial.native, array), tables.table_of(trial.native, other)
    if table is not None and own is not None and table.address == own.address:
        return True
    return _package(other) == _package(array) and hasattr(type(other), "__dlpack__")


def _package(array):
    """The top of the type's module: "torch"."""
    return str(type(array).__module__).split(".")[0]


REFUSED = {
    "unknown-dtype": {"code": UNDEFINED_CODE},
    "unknown-device": {"device": (99, 0)},
    "major-2": {"version": (2, 0)},
}


@variant("producer", *(f"table-import={name}" for name in REFUSED))
def refused(trial):
    """dlpack.h 1.2, DLPackManagedTensorToPyObjectNoSync, is silent on failures: what is asked is no second release."""
    array = trial.library.make(trial.order)
    caller = calls.caller_for(trial, array)
    if _judge_refusal(trial, caller):
        kept = Imported(caller, make_offer(trial, "versioned").capsule())
        _judge_refusal(trial, caller)  # while the object of another import lives
        kept.release_if_left()
        kept.drop()
        trial.out.pass_(FAILED)
    caller.close()
    trial.out.not_applicable(*trial.out.rest())


def _judge_refusal(trial, caller):
    """True unless the tensor is taken, or treated in a way that is reported."""
    offer = make_offer(trial, "versioned", **REFUSED[trial.variant.partition("=")[2]])
    done = Imported(caller, offer.capsule())
    if done.answer.is_success:
        attempt(done.drop)
        return False
    settle(lambda: False, seconds=0)
    calls_before = done.watch.calls
    done.release_if_left()
    settle(lambda: False, seconds=0)
    allowed = "a tensor that is still the caller's, and that nobody releases twice"
    if done.watch.repeated_calls:
        trial.out.wrong_value(FAILED, f"after a failure the deleter was called {done.watch.calls} times", allowed)
    elif calls_before:
        trial.out.violated(FAILED, "the function that failed released the tensor", allowed)
    return not trial.out.is_violated(FAILED)
