"""Producers: 10,000 exports, consumed or dropped, leave nothing behind."""

import gc
import sys

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import Export, dlpack_of, refuse_rest
from dlspec_worker.facts import dlpack, elements, values
from dlspec_worker.observing.leaks import Growth, confirmed
from dlspec_worker.trial import threads
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import settle

AT_ONCE = 50
SOME = 100  # Python objects, more than fluctuate by themselves
PATIENCE_IN_ALL = 1.0  # seconds, for each of three kinds of export, twice on a path
COPIED = {"max_version": dlpack.NEWEST, "copy": True}
KINDS = ({"max_version": dlpack.NEWEST}, {}, COPIED)
PAGES, FEW = 8192, 16  # bytes; copies of a batch


@variant("producer", "many-consumed")
def many_consumed(trial):
    """dlpack.h, DLManagedTensor.deleter: it releases manager_ctx and the struct itself."""
    frees, balanced = "managed.deleter-frees-self", "managed.owner-balanced"
    array = trial.library.make(trial.order)
    first = exporting.newest_export(trial, array)
    if first.facts and not first.facts["has_destructor"]:
        trial.out.blocked("by capsule.destructor-present", frees, balanced)
        return
    for keywords in _served(trial, array, frees, balanced):
        growth = _growth(trial, array, keywords, consumed=True)
        what = f"each {_words(keywords)} that was consumed and released"
        if growth.words() and _is_late(array, growth):
            observed = f"{what} left {growth.words()}, which goes later"
            trial.out.info(balanced, observed, "nothing that stays", "released-late")
            trial.out.info(frees, observed, "nothing that stays", "released-late")
        elif growth.references:
            trial.out.violated(balanced, f"{what} left {growth.words()} to the array", "none")
            trial.out.blocked(f"by {balanced}", frees)
        elif growth.lost_references:
            trial.out.violated(balanced, f"{what} took a reference to the array away", "as many as before")
            trial.out.blocked(f"by {balanced}", frees)
        elif growth.words():
            _judge_left(trial, array, keywords, f"{what} left {growth.words()} behind")
    trial.out.pass_(balanced, frees)


@variant("producer", "many-consumed=thread")
def many_consumed_elsewhere(trial):
    """The same where the deleters are called on other threads than the one that exports."""
    rule = "managed.owner-balanced"
    array = trial.library.make(trial.order)
    for keywords in _served(trial, array, rule):
        growth = _growth_by_threads(trial, array, keywords, True)
        if growth.words() and not growth.references:
            growth = _growth_by_threads(trial, array, keywords, True)  # what threads allocate from grows, too, once
        if not growth.words():
            continue
        what = f"each {_words(keywords)} that was released on another thread left {growth.words()}"
        if _is_late(array, growth):
            trial.out.info(rule, f"{what}, which goes later", "nothing that stays", "released-late")
        elif growth.references:
            trial.out.blocked("by managed.deleter-any-thread", rule)
        elif _growth_by_threads(trial, array, keywords, False).words():
            trial.out.blocked("by what exports leave behind that one thread makes and releases", rule)
        else:
            trial.out.violated(rule, f"{what} behind", "nothing that stays, as on the exporting thread")
    if trial.plain is None:  # in other circumstances the memory comes from the same pools
        _judge_pages(trial, rule)
    trial.out.pass_(rule)


def _judge_pages(trial, rule):
    """Copies of two pages: their memory may come from another pool than that of small ones."""
    size = elements.bits_of(trial.order.dtype) // 8
    order = values.order(trial.order, shape=(PAGES // size,), strides=None, offset=0)
    array, misfit = attempt(trial.library.make, order)
    if misfit or trial.out.is_violated(rule) or Export(trial, array, COPIED).refusal:
        return
    growth = _growth_of_pages(trial, array, True)
    if not growth or _is_late(array, growth) or _growth_of_pages(trial, array, False):
        return
    if _growth_of_pages(trial, array, True):  # what threads allocate from grows, too, once
        observed = f"each copy of {PAGES} bytes that was released on another thread left {growth.words()} behind"
        trial.out.violated(rule, observed, "nothing that stays, as on the exporting thread")


def _growth_of_pages(trial, array, elsewhere):
    """The growth by copies, where each leaves the better part of its elements; else None."""
    growth = Growth(trial.native, lambda *_: _release(trial, array, COPIED, elsewhere, FEW), array, brief=True)
    return growth if growth.heap >= PAGES / 2 else None


def _growth_by_threads(trial, array, keywords, elsewhere):
    """Each thread releases up to AT_ONCE exports; or the exporting one does."""

    def act(count, _):
        done = 0
        while done < count:
            released = _release(trial, array, keywords, elsewhere)
            if not released:
                break
            done += released
        return done

    return Growth(trial.native, act, array, brief=True)


def _release(trial, array, keywords, elsewhere, most=AT_ONCE):
    """How many: fewer where a library has one export at a time, or one struct for all."""
    watches = []
    for _ in range(most):
        made = Export(trial, array, keywords)
        watch, misfit = attempt(trial.native.watch, made.capsule)
        if misfit:
            break
        watch.take()
        made.drop()
        watches.append(watch)

    def release():
        for watch in watches:
            watch.release()

    threads.together(release) if elsewhere else release()
    return len(watches)


def _is_late(array, growth):
    """True when it is gone by now, or still goes: some libraries release on a thread of their own, one by one."""
    gc.collect()
    references, blocks = sys.getrefcount(array), sys.getallocatedblocks()

    def goes():
        return sys.getrefcount(array) < references or sys.getallocatedblocks() <= blocks - SOME or growth.has_gone()

    return settle(goes, PATIENCE_IN_ALL)


def _judge_left(trial, array, keywords, observed):
    rule, allowed = "managed.deleter-frees-self", "nothing that stays"
    if not _grows_again(trial, array, keywords, consumed=True):
        return
    if _goes_with_owner(trial, keywords):
        trial.out.info(rule, observed + " until the array goes", allowed, "goes-with-owner")
    else:
        trial.out.violated(rule, observed, allowed)


def _grows_again(trial, array, keywords, consumed):
    """False where as much again takes no more: tables grew with the exports that wait to be freed."""
    return confirmed(lambda: _growth(trial, array, keywords, consumed), Growth.words) is not None


def _goes_with_owner(trial, keywords, rounds=1000):
    """True when what the exports of an array leave behind is freed with that array: it is held, not lost."""
    gc.collect()
    before = _in_use(trial)
    array = trial.library.make(trial.order)
    gc.collect()
    fresh = _in_use(trial)
    trial.native.cycle(dlpack_of(trial, array), keywords, rounds, rounds, True)
    gc.collect()
    full = _in_use(trial)
    del array
    gc.collect()
    after = _in_use(trial)
    return all(
        last - first <= (most - start) / 2
        for first, start, most, last in zip(before, fresh, full, after)
        if most > start + rounds / 10
    )


def _in_use(trial):
    return sys.getallocatedblocks(), trial.native.heap_bytes()


@variant("producer", "many-unconsumed")
def many_unconsumed(trial):
    """Python specification, Implementation: the capsule's destructor releases every tensor that was not consumed."""
    rule = "capsule.destructor-present"
    array = trial.library.make(trial.order)
    served = _served(trial, array, rule)
    for keywords in served:
        _judge_dropped(trial, rule, array, keywords, _words(keywords))
    if KINDS[0] in served:
        _judge_empty(trial, rule)
    trial.out.pass_(rule)


def _judge_empty(trial, rule):
    empty, misfit = attempt(trial.library.make, values.order(trial.order, shape=(0, 4), strides=None, offset=0))
    made = None if misfit else Export(trial, empty, KINDS[0])
    if made is not None and made.generation and not made.facts["null_deleter"]:
        _judge_dropped(trial, rule, empty, KINDS[0], "export without elements")


def _judge_dropped(trial, rule, array, keywords, words):
    growth = _growth(trial, array, keywords, consumed=False)
    if trial.out.is_violated(rule) or not (growth.words() or growth.lost_references):
        return
    if growth.words() and _is_late(array, growth):
        observed = f"each {words} that nobody consumed left {growth.words()}, which goes later"
        trial.out.info(rule, observed, "nothing that stays", "released-late")
        return
    consumed = _growth(trial, array, keywords, consumed=True)
    if consumed.words() or consumed.lost_references:
        trial.out.blocked("by what consumed exports leave behind", rule)
    elif growth.lost_references:
        observed = f"each {words} that nobody consumed took a reference to the array away"
        trial.out.violated(rule, observed, "a release by the capsule's destructor, once")
    elif _grows_again(trial, array, keywords, consumed=False):
        observed = f"each {words} that nobody consumed left {growth.words()} behind"
        trial.out.violated(rule, observed, "a release by the capsule's destructor")


def _served(trial, array, *rules):
    """The kinds of export that the library offers: newest, legacy, copied."""
    made = [(keywords, Export(trial, array, keywords)) for keywords in KINDS]
    served = []
    for keywords, export in made:
        if export.refusal is None and export.generation and not export.facts["null_deleter"]:
            served.append(keywords)
    if not served and all(export.refusal for _, export in made):
        refuse_rest(trial, made[0][1])
        raise Unsupported(made[0][1].refusal.text)
    if not served:
        trial.out.not_applicable(*rules)
    return served


def _growth(trial, array, keywords, consumed):
    dlpack = dlpack_of(trial, array)
    return Growth(
        trial.native,
        lambda count, least: trial.native.cycle(dlpack, keywords, count, least, consumed),
        array,
        brief=trial.brief,
    )


def _words(keywords):
    if "copy" in keywords:
        return "copied export"
    return "export" if keywords else "legacy export"
