"""Producers: who owns what the exchange table exports and lends, over one exchange and over many."""

import gc
import sys

from dlspec_worker.exchange_api import calls
from dlspec_worker.exchange_api.growths import left_behind
from dlspec_worker.exchange_api.through import Borrowing, Through
from dlspec_worker.exports import exporting
from dlspec_worker.facts import values, wording
from dlspec_worker.facts.dlpack import HOST
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import goes_on

OWNING, ALLOCATES = "exchange.from-owning", "exchange.dltensor-no-temp-alloc"
ALLOWED = "an owning tensor that the caller releases once"


@variant("producer", "table-owned")
def owned(trial):
    """dlpack.h 1.2, DLPackManagedTensorFromPyObjectNoSync, return value: an owning versioned tensor."""
    array = trial.library.make(trial.order)
    caller = calls.caller_for(trial, array)
    answer = caller.export(array)
    if not answer.is_success or answer.facts["capsule"] is None:
        trial.out.unsupported("the table does not export such an array", *trial.out.rest())
        return
    if trial.order.device[0] != HOST:
        trial.out.unsupported("only elements in host memory can be compared", *trial.out.rest())
        return
    source = Through(caller, array)
    if _judge_released_once(trial, source) and _judge_kept(trial, source, array):
        del array
        _judge_without_source(trial, caller)
    trial.out.pass_(OWNING)


def _judge_released_once(trial, source):
    """Two exports at once have structs of their own, each of which is released alone."""
    first, second = source.__dlpack__(), source.__dlpack__()
    if trial.native.locate(first) == trial.native.locate(second):
        trial.native.keep_forever(first)
        trial.out.violated(OWNING, "two calls gave one and the same struct", ALLOWED)
        return False
    if trial.native.look(first)["null_deleter"]:
        trial.out.info(OWNING, "deleter is NULL, so that nothing is released", ALLOWED, "null-deleter-owner")
        return False
    watch = trial.native.watch(first)
    watch.take()
    watch.release()
    if watch.threw:
        trial.out.violated(OWNING, f"the deleter threw {watch.threw}", ALLOWED)
        return False
    if not _shows(trial, second):
        trial.out.wrong_value(OWNING, "after the release of one export another shows other elements", ALLOWED)
        return False
    return True


def _judge_kept(trial, source, array):
    def act(count, least):
        return trial.native.cycle(source.__dlpack__, {}, count, least, True)

    growth = left_behind(trial.native, act, array)
    if growth is None or goes_on(lambda: sys.getrefcount(array)):
        return True
    if growth.words():
        to_array = " to the array" if growth.references else ""
        trial.out.violated(OWNING, f"each export that was released left {growth.words()}{to_array}", ALLOWED)
    else:
        trial.out.violated(OWNING, "each export that was released took a reference to the array away", ALLOWED)
    return False


def _judge_without_source(trial, caller):
    """The export keeps alive what it needs when its array goes."""
    array = trial.library.make(trial.order)
    capsule = Through(caller, array).__dlpack__()
    before = trial.native.look(capsule)["text"]
    if not _shows(trial, capsule):
        trial.out.blocked("by the elements of the export", OWNING)
        return
    del array
    gc.collect()
    crowd = _crowd(trial)
    if trial.native.look(capsule)["text"] != before or not _shows(trial, capsule):
        trial.native.keep_forever(capsule)
        trial.out.wrong_value(OWNING, "the export does not outlive its array", ALLOWED)
    del crowd


def _crowd(trial):
    """The allocator is likely to reuse memory here that was freed too early, with other contents."""
    other = values.order(trial.order)
    other.bytes = trial.order.bytes[::-1]
    return [attempt(trial.library.make, other)[0] for _ in range(16)]


def _shows(trial, capsule):
    return attempt(trial.native.contents, capsule)[0] == trial.order.bytes


@variant("producer", "table-borrow-many")
def borrow_many(trial):
    """dlpack.h 1.2, DLPackDLTensorFromPyObjectNoSync: shape and strides are the object's own storage."""
    array = trial.library.make(trial.order)
    caller = calls.caller_for(trial, array)
    if not caller.borrow(array, 0).is_success:
        trial.out.unsupported("the table does not lend such an array", ALLOCATES)
        return
    made = exporting.Export(trial, Borrowing(caller, array), {})
    if made.facts is None or made.facts["shape"] != tuple(trial.order.shape):
        trial.out.blocked("by the borrowed tensor, which does not describe the array", ALLOCATES)
        return
    for other in (_of_other_extents(trial.order), values.order(trial.order, shape=_longer(trial.order), **COMPACT)):
        _judge_storage(trial, caller, array, other)
    for rank in values.RANKS:
        vector, reason = attempt(trial.library.make, values.vector_of_rank(trial.order, rank, 2))
        if not reason and caller.borrow(vector, 0).is_success:
            _judge_storage(trial, caller, vector, values.vector_of_rank(trial.order, rank, 3))
    growth = left_behind(trial.native, lambda count, least: _borrow_often(caller, array, count), array)
    if growth is not None and growth.words():
        observed = f"each tensor that was lent left {growth.words()} behind"
        trial.out.violated(ALLOCATES, observed, "shape and strides that the object owns")
    trial.out.pass_(ALLOCATES)


def _borrow_often(caller, array, count):
    rounds = min(count, 1000)
    for _ in range(rounds):
        caller.borrow(array, 0)
    return rounds


COMPACT = {"strides": None, "offset": 0}
LOANS = 16  # more than a function has operands


def _longer(order):
    return tuple(extent + 1 for extent in order.shape)


def _of_other_extents(order):
    """The same layout with fewer elements along an axis, which lie within the same memory, or where there are none."""
    shape = list(order.shape)
    for axis, extent in enumerate(shape):
        if (extent > 1) if 0 not in order.shape else (extent > 0):
            shape[axis] = extent - 1 if extent > 1 else 2
            break
    return values.order(order, shape=tuple(shape))


def _judge_storage(trial, caller, array, order):
    """What one object lends stays while another lends, once and more often."""
    other, reason = attempt(trial.library.make, order)
    if reason or trial.out.is_violated(ALLOCATES):
        return
    lent = trial.native.api_wrap(caller.borrow(array, 0).facts["raw"])
    before = trial.native.look(lent)["text"]
    if not all(caller.borrow(other, 0).is_success for _ in range(LOANS)):
        return
    after = trial.native.look(lent)["text"]
    if before != after:
        observed = f"when another object lent its tensor, the first became {wording.of_repr(after)}"
        trial.out.violated(ALLOCATES, observed, "shape and strides that the object owns")
