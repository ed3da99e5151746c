"""Producers: exports through the exchange table, owned ones and borrowed ones, beside those of __dlpack__."""

from dlspec_worker.exchange_api import calls, tables
from dlspec_worker.exchange_api.through import Borrowing, Through, trial_aside, trial_through
from dlspec_worker.exports import exporting
from dlspec_worker.facts import elements
from dlspec_worker.facts.dlpack import IS_COPIED, NEWEST, NOBODY, READ_ONLY
from dlspec_worker.producer.structs import is_writable, judge_whole
from dlspec_worker.trial import threads
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant

AGREES, FLAGS, OWNING = "exchange.agrees-with-dunder", "exchange.flags-still-apply", "exchange.from-owning"
FLAG_RULES = (
    "flags.read-only-set",
    "flags.read-only-truthful",
    "flags.is-copied-set",
    "flags.is-copied-honest",
    "flags.padded-only-subbyte",
    "flags.padded-set-when-padded",
)


@variant("producer", "table-export")
def export(trial):
    """dlpack.h 1.2, DLPackManagedTensorFromPyObjectNoSync: the struct is that of any other export."""
    array = calls.array_of(trial)
    caller = calls.caller_for(trial, array)
    answer = caller.export(array)
    caller.close()
    if not answer.is_success:
        trial.out.unsupported(answer.text, *trial.out.rest())
        return
    if answer.facts["capsule"] is None:
        observed = f"{tables.EXPORT} succeeded and gave no tensor"
        trial.out.violated(OWNING, observed, "a versioned tensor that the caller owns")
        trial.out.blocked(f"by {OWNING}", *trial.out.rest())
        return
    trial.out.pass_(OWNING)
    made = judge_struct(trial, caller, array, Through, FLAG_RULES)
    if made is not None:
        _judge_beside_dunder(trial, array, made)
        for again in _in_circumstances(trial, caller, array):
            _judge_beside_dunder(trial, array, again)


def _judge_beside_dunder(trial, array, made):
    if not trial.out.is_violated(FLAGS) and not trial.out.is_violated(AGREES):
        _judge_flags(trial, array, made)
        _judge_agreement(trial, array, made)


def _in_circumstances(trial, caller, array):
    """The export again: with others alive, after a release, after a refusal, and on another thread."""
    aside = trial_aside(trial)

    def again():
        made = exporting.newest_export(aside, Through(caller, array))
        return None if made.refusal or made.facts is None else made

    kept = again()
    yield from filter(None, (attempt(again)[0],))
    del kept
    yield from filter(None, (attempt(again)[0],))
    attempt(array.__dlpack__, max_version=NEWEST, dl_device=NOBODY)
    yield from filter(None, (attempt(again)[0],))
    yield from filter(None, (ended[0] for ended in threads.together(again) if ended is not None))


def judge_struct(trial, caller, array, kind, flag_rules=()):
    """Judges the struct that comes through the table by the case's rules. The export, or None after a finding."""
    own = [rule for rule in trial.out.rules if not rule.startswith("exchange.") and rule not in FLAG_RULES]
    inner = trial_through(trial, caller, [*own, *flag_rules, "capsule.pointer-type"], kind)
    source = kind(caller, array)
    known = {"read_only": False} if flag_rules and not trial.order.readonly and is_writable(trial) else {}
    try:
        made = exporting.newest_export(inner, source)
        judge_whole(inner, source, made, **known)
    except Unsupported:
        made = None
    answers = inner.out.complete()
    for rule in flag_rules:
        if answers[rule]["outcome"] == "violated":
            trial.out.violated(FLAGS, f"{rule}: {answers[rule]['observed']}", answers[rule]["allowed"])
            answers[rule] = {"outcome": "blocked", "observed": f"by {FLAGS}"}
    violated = [rule for rule, answer in answers.items() if answer["outcome"] == "violated"]
    for rule, answer in answers.items():
        if rule in trial.out.rules:
            trial.out.repeat(rule, answer)
    if violated or made is None or made.refusal or made.facts is None:
        trial.out.blocked(
            f"by {violated[0]}" if violated else "by the struct, which cannot be followed", *trial.out.rest()
        )
        return None
    return made


def _dunder(trial, array):
    """The export of __dlpack__, or None where there is none that could be compared."""
    try:
        made = exporting.newest_export(trial_aside(trial), array)
    except Unsupported:
        return None
    return None if made.refusal or made.facts is None else made


def _judge_flags(trial, array, made):
    other = _dunder(trial, array)
    if other is not None and other.generation == "versioned" and other.is_flagged(READ_ONLY):
        if not made.is_flagged(READ_ONLY) and not made.is_flagged(IS_COPIED):
            observed = "READ_ONLY is clear where __dlpack__ sets it"
            trial.out.violated(FLAGS, observed, "the flags that hold for the tensor")
    if other is not None and made.is_flagged(IS_COPIED) and not other.is_flagged(IS_COPIED):
        if made.first_element() == other.first_element() and 0 not in trial.order.shape:
            observed = "IS_COPIED is set, and the memory is that of __dlpack__, which is no copy"
            trial.out.violated(FLAGS, observed, "the flags that hold for the tensor")
    trial.out.pass_(FLAGS)


def _judge_agreement(trial, array, made):
    """Copying exporters have other addresses with every call; those are not compared."""
    first, second = _dunder(trial, array), _dunder(trial, array)
    if first is None or second is None:
        trial.out.not_applicable(AGREES)
        return
    pairs = [
        (name, made.facts[name], first.facts[name])
        for name in ("dtype", "device", "shape")
        if None not in (made.facts[name], first.facts[name])
    ]
    shares = first.first_element() == second.first_element()
    if shares and 0 not in (made.facts["shape"] or ()):
        pairs.append(("address of the first element", made.first_element(), first.first_element()))
    pairs.append(("strides", _strides(made), _strides(first)))
    different = [name for name, one, other in pairs if one != other]
    if different:
        trial.out.violated(AGREES, f"table and __dlpack__ give another {different[0]}", "the same tensor on both ways")
    trial.out.pass_(AGREES)


def _strides(made):
    """Of the axes that have more than one element; None where there are none to be read."""
    shape, strides = made.facts["shape"], made.facts["strides"]
    if shape is None or 0 in shape:
        return None
    strides = strides or elements.row_major(shape)
    return [stride for extent, stride in zip(shape, strides) if extent > 1]


# --- borrowed tensors

FILLED = "exchange.dltensor-filled"
MEMBERS = {
    "data": (0, 8),
    "device.device_type": (8, 12),
    "device.device_id": (12, 16),
    "ndim": (16, 20),
    "dtype": (20, 24),
    "shape": (24, 32),
    "strides": (32, 40),
    "byte_offset": (40, 48),
}


@variant("producer", "table-borrow")
def borrow(trial):
    """dlpack.h 1.2, DLPackDLTensorFromPyObjectNoSync: it fills the caller's struct, which nobody has initialised."""
    array = trial.library.make(trial.order)
    caller = calls.caller_for(trial, array)
    answers = [caller.borrow(array, fill) for fill in (0xAA, 0x55)]
    caller.close()
    failed = [answer for answer in answers if not answer.is_success]
    if failed:
        trial.out.unsupported(failed[0].text, *trial.out.rest())
        return
    left = [
        name
        for name, (begin, end) in MEMBERS.items()
        if all(
            answer.facts["raw"][begin:end] == bytes([fill]) * (end - begin)
            for answer, fill in zip(answers, (0xAA, 0x55))
        )
    ]
    if left:
        trial.out.violated(FILLED, f"{', '.join(left)} left as the caller's stack had it", "every member filled in")
        trial.out.blocked(f"by {FILLED}", *trial.out.rest())
        return
    trial.out.pass_(FILLED)
    made = judge_struct(trial, caller, array, Borrowing)
    if made is not None:
        _judge_agreement(trial, array, made)


@variant("producer", "table-refusal")
def refusal(trial):
    """dlpack.h 1.2, DLPackManagedTensorFromPyObjectNoSync: BufferError for what DLPack cannot describe."""
    rule = "exchange.buffererror"
    caller = calls.caller_for(trial, trial.library.make(trial.order))
    tried = 0
    for kind, array in _odd_arrays(trial):
        own = attempt(lambda: array.__dlpack__(max_version=(1, 3)))[1]  # noqa: B023
        if own is None or not own.is_a(BufferError) or tables.table_of(trial.native, array) is None:
            continue
        tried += 1
        answer = caller.export(array)
        if answer.is_success:
            _judge_slipped(
                trial, answer, f"the table exports an array ({kind}) that __dlpack__ refuses with {own.text}"
            )
        elif answer.error is not None and not isinstance(answer.error, BufferError):
            trial.out.violated(rule, f"an array ({kind}): {answer.text}", "BufferError, as from __dlpack__")
    caller.close()
    if tried:
        trial.out.pass_(rule, AGREES)
    else:
        trial.out.unsupported("the adapter makes no array that DLPack cannot describe", *trial.out.rest())


def _judge_slipped(trial, answer, observed):
    """What __dlpack__ refuses and the table does not: harmless where the elements are right all the same."""
    allowed = "the same answer on both ways"
    capsule = answer.facts["capsule"]
    readable = capsule is not None and attempt(trial.native.judge, capsule, [], {})[0]
    if readable and readable["readable"] and attempt(trial.native.contents, capsule)[0] == trial.order.bytes:
        trial.out.info(AGREES, observed, allowed, "table-exports-more")
    else:
        trial.out.violated(AGREES, f"{observed}, and shows other elements", allowed)


def _odd_arrays(trial):
    """(kind, array) of what cannot be exported: odd arrays, and ordinary ones in another state."""
    for kind in ("dtype", "byte-order", "record-field", "sparse", "distributed"):
        array, reason = attempt(trial.library.odd, kind, trial.order)
        if reason is None:
            yield kind, array
    states, reason = attempt(lambda: trial.library.states(trial.library.make(trial.order)))
    yield from (states or {}).items() if reason is None else ()
