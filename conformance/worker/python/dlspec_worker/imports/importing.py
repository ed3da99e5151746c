"""One import by the library, from the call to the release: shared by the consumers' cases."""

from dlspec_worker.facts import values, wording
from dlspec_worker.facts.dlpack import UNDEFINED_CODE
from dlspec_worker.imports.consumed_capsules import is_taken
from dlspec_worker.imports.source import Source
from dlspec_worker.subject import large as large_arrays
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.waiting import settle

OFFSET = "tensor.byte-offset-honoured"
ONCE = "one call of the deleter for each capsule that was handed out"
LATE = "releases come late, and were awaited before"


class Import:
    """An imported array, or a refusal."""

    def __init__(self, trial, source, **keywords):
        self.source = source
        self.array, self.refusal = trial.library.from_dlpack(source, **keywords)
        if getattr(source, "asked", None):
            trial.library.first_asked.setdefault("max_version", source.asked[0]["max_version"])
        if self.refusal and source.relents():
            self.array, self.refusal = trial.library.from_dlpack(source, **keywords)
        if self.refusal is None and not is_taken(trial, source):
            # A lazy consumer checks the capsule, and refuses, only when the array is read.
            self.refusal = trial.library.refuses_to_read(self.array)
            self.array = None if self.refusal else self.array

    def drop(self):
        self.array = None


def large(trial, most=large_arrays.ONCE):
    """The order of a tensor of more than 1 MiB in the layout of the case. Unsupported where reading takes too long."""
    return large_arrays.large(trial, lambda order: _read(trial.again(order)), most)


def _read(trial):
    source = Source(trial)
    done = Import(trial, source)
    if done.refusal is None:
        trial.library.imported_contents(done.array)
    source.forget_capsules()


def refused(trial, done, *rules):
    """Answers `rules`, or all that are left, as not supported. Refusing is legal; leaking is not."""
    if done.source.refused_the_question:
        reason = "it asks for no versioned capsule"
    elif done.refusal:
        reason = f"the import was refused: {done.refusal.text}"
    else:
        return  # it was taken, and is judged
    trial.out.unsupported(reason, *(rules or trial.out.rest()))


def unless_refused(trial, done):
    """The import. A refusal ends the case: everything left is unsupported."""
    if done.refusal:
        refused(trial, done)
        raise Unsupported(done.refusal.text)
    return done


def works_alone(trial):
    """An import, judged by its elements and its releases: False, and all is answered, when something is wrong."""
    done = Import(trial, Source(trial))
    if done.refusal:
        refused(trial, done)
        return False
    done.source.forget_capsules()
    right = trial.library.imported_contents(done.array)[0] in (None, trial.order.bytes)
    done.drop()
    if releases_balance(done.source) and right:
        return True
    trial.out.blocked("by what goes wrong on one thread", *trial.out.rest())
    return False


def import_and_drop(trial, hook):
    """An import whose deleter calls hook(), until that was called or too much time has passed."""
    trial.native.set_release_hook(hook)
    try:
        source = Source(trial, hooked=True)
        done = Import(trial, source)
        source.forget_capsules()
        done.drop()
        source.wait_for_release()
    finally:
        trial.native.set_release_hook(None)


def judge_shown_elements(trial, array):
    """tensor.element-address: the import shows the elements that were offered."""
    rule = "tensor.element-address"
    shown, reason = trial.library.imported_contents(array)
    if reason:
        trial.out.unsupported(reason, rule)
    elif shown != trial.order.bytes:
        observed = f"the import shows other elements: {wording.of_bytes(shown, trial.order.bytes)}"
        trial.out.wrong_value(rule, observed, "the elements that the struct leads to")
    trial.out.pass_(rule)


def judge_pointer(trial, source):
    rule = "managed.deleter-original-pointer"
    if any(offer.wrong_self for offer in source.offers):
        observed = "the deleter was called with another address than the struct's"
        trial.out.violated(rule, observed, "the pointer that the capsule held")
    trial.out.pass_(rule)


def judge_refusal_releases(trial, source):
    """managed.error-releases: after a failed import each exported capsule is released once.

    Either the consumer consumed the capsule and called the deleter, or the capsule's destructor does so: the number
    of calls counts.
    """
    rule = "managed.error-releases"
    if source.handed_out == 0:
        trial.out.not_applicable(rule)
        return True
    balanced = releases_balance(source)
    if balanced and source.is_known_to_be_late():
        trial.out.unsupported(LATE, rule)
    if balanced:
        trial.out.pass_(rule)
    else:
        trial.out.violated(rule, f"after the refusal {releases(source)}", ONCE)
    return balanced


def refuses_unbalanced(trial):
    """True when the library releases twice or never after refusing an unknown dtype: all its refusals may."""
    source = Source(trial, code=UNDEFINED_CODE)
    return Import(trial, source).refusal is not None and not releases_balance(source)


def releases(source):
    """How the deleters were called, as a text."""
    return f"{source.handed_out} handed out, {source.deleter_calls} deleter calls, {source.live} not released"


def rule_of_layout(trial, kind=Source, **keywords):
    """The rule that is reported for wrong elements: the one that the layout tests, else the general one."""
    tried = [
        rule
        for rule in trial.out.rules
        if rule
        in (
            OFFSET,
            "tensor.strides-negative-ok",
            "tensor.strides-zero-ok",
            "tensor.strides-extent1-ignored",
            "tensor.strides-empty-ignored",
        )
    ]
    if OFFSET in tried and len(tried) <= 2:
        tried = [rule for rule in tried if (rule == OFFSET) == is_right_without_offset(trial, kind, **keywords)]
    return tried[0] if len(tried) == 1 else "tensor.element-address"


def is_right_without_offset(trial, kind=Source, **keywords):
    """Which of two things that a layout tries is misread shows without the offset."""
    plain = trial.again(values.changed(trial.order, offset=0))
    done = Import(plain, kind(plain), **keywords)
    return done.refusal is None and trial.library.imported_contents(done.array)[0] in (None, trial.order.bytes)


def judge_elements(trial, found, rule=None, array=None):
    """True when the imported elements are those that were offered. `array`: the import, where it can be read again."""
    if found == trial.order.bytes:
        return True
    rule = rule or rule_of_layout(trial)
    observed = f"the import shows other elements: {wording.of_bytes(found, trial.order.bytes)}"
    if array is not None and trial.library.normalised(array) == trial.order.bytes:
        observed += "; a copy of it that the library makes shows the right ones"
    trial.out.wrong_value(rule, observed, "the elements that the struct leads to")
    return False


def collect():
    """Releases whatever still waits for the garbage collector."""
    settle(lambda: False, seconds=0)


def releases_balance(source):
    """Whether exactly one call was made for each capsule, after the last reference is gone.

    Where releases always come late it says of one that has not come by now that it will.
    """
    source.forget_capsules()
    if source.is_known_to_be_late():
        return source.deleter_calls <= source.handed_out
    source.wait_for_release()
    return source.is_released() and source.deleter_calls == source.handed_out


def judge_releases(trial, source):
    """managed.deleter-once, after the last reference is gone."""
    rule = "managed.deleter-once"
    if releases_balance(source):
        if source.is_known_to_be_late():
            trial.out.unsupported(LATE, rule)
        if source.kept_until_next:
            trial.out.info(rule, "the release came when other tensors were imported", ONCE, "released-late")
        trial.out.pass_(rule)
    elif not trial.out.answered(rule):
        trial.out.violated(rule, f"after the import was dropped {releases(source)}", ONCE)
