"""One import by the library, from the question to the release: shared by the consumers' cases."""

import gc
import struct

from dlspec_worker import elements, exporting, reading, wording
from dlspec_worker.exporting import Export
from dlspec_worker.source import Replay, Source, row_major
from dlspec_worker.trial import attempt, settle

ONCE = "one call of the deleter for each capsule that was handed out"


class Import:
    """An imported array, or a refusal."""

    def __init__(self, trial, source, **keywords):
        self.source = source
        self.array, self.refusal = trial.library.from_dlpack(source, **keywords)
        if self.refusal and source.relents():
            self.array, self.refusal = trial.library.from_dlpack(source, **keywords)
        if self.refusal is None and not is_taken(trial, source):
            # Whoever looks at the capsule only when the array is read refuses no earlier.
            self.refusal = trial.library.refuses_to_read(self.array)
            self.array = None if self.refusal else self.array

    def drop(self):
        self.array = None


def refused(trial, done, *rules):
    """Answers `rules`, or all that are left, as not supported. Refusing is legal; leaking is not."""
    if done.source.refused_the_question:
        reason = "it asks for no versioned capsule"
    else:
        reason = f"the import was refused: {done.refusal.text}"
    trial.out.unsupported(reason, *(rules or trial.out.rest()))


def judge_refusal_releases(trial, source):
    """managed.error-releases: after a failed import each capsule handed out is released once, by whomever.

    Either the consumer took the tensor and called the deleter, or it left the capsule alone and the capsule's
    destructor does so. What counts is the sum.
    """
    rule = "managed.error-releases"
    if source.handed_out == 0:
        trial.out.not_applicable(rule)
        return True
    balanced = releases_balance(source)
    if balanced:
        trial.out.pass_(rule)
    else:
        trial.out.broken(rule, f"after the refusal {releases(source)}", ONCE)
    return balanced


def refuses_unbalanced(trial):
    """True when the library, refusing an unknown dtype, releases too often or not at all: then all refusals may."""
    source = Source(trial, code=200)
    return Import(trial, source).refusal is not None and not releases_balance(source)


def releases(source):
    """How the deleters were called, in words."""
    return f"{source.handed_out} handed out, {source.deleter_calls} deleter calls, {source.live} not released"


def speaks_for_contents(trial):
    """The rule that wrong elements break: what the layout tries, where that is one thing, else elements in general."""
    tried = [rule for rule in trial.out.rules if rule in (
        "tensor.byte-offset-honoured", "tensor.strides-negative-ok", "tensor.strides-zero-ok",
        "tensor.strides-extent1-ignored", "tensor.strides-empty-ignored")]
    return tried[0] if len(tried) == 1 else "tensor.element-address"


def judge_elements(trial, found, rule=None):
    """True when the imported elements are those that were offered."""
    if found == trial.order.bytes:
        return True
    rule = rule or speaks_for_contents(trial)
    observed = f"the import shows other elements: {wording.of_bytes(found, trial.order.bytes)}"
    trial.out.broken(rule, observed, "the elements that the struct leads to", "fail")
    return False


def judge_dtype(trial, array, shown):
    """dtype.no-silent-reinterpret: the import has the offered dtype, by the library's own word when it exports it.

    `shown`: the elements of the import as bytes, or None.
    """
    rule = "dtype.no-silent-reinterpret"
    if not trial.out.wants(rule):
        return
    found = _exported_dtype(trial, array)
    if found is None:
        trial.out.unsupported("the imported array exports nothing to tell its dtype by", rule)
    elif found == trial.order.dtype or found == _own_dtype(trial):
        trial.out.pass_(rule)
    elif reading.has_lanes_as_axis(trial, array):
        trial.out.pass_(rule)
    elif shown == trial.order.bytes and elements.bits_of(found) != elements.bits_of(trial.order.dtype):
        # What came in is whole: it is what goes out that is something else.
        trial.out.blocked("by dtype.roundtrip", rule)
    else:
        # The same numbers, rounded, are no other numbers; but nobody asked for less precision.
        rounded = is_rounded(trial.order, found, shown)
        observed = f"{trial.order.dtype} was {'rounded to' if rounded else 'imported as'} {found}"
        trial.out.broken(rule, observed, f"{trial.order.dtype}, or a refusal", "warn" if rounded else None)


# The floats of which complex numbers and real ones consist, as struct spells them.
_FLOATS = {"float16": "e", "float32": "f", "float64": "d", "complex64": "f", "complex128": "d"}


def is_rounded(order, dtype, shown):
    """True when `shown` are the ordered numbers in another precision."""
    alike = dtype.startswith("complex") == order.dtype.startswith("complex")
    if shown is None or not alike or not {dtype, order.dtype} <= set(_FLOATS):
        return False
    numbers = [number for (number,) in struct.iter_unpack(_FLOATS[order.dtype], order.bytes)]
    return struct.pack(f"{len(numbers)}{_FLOATS[dtype]}", *numbers) == shown


def _exported_dtype(trial, array):
    for keywords in ({"max_version": exporting.NEWEST}, {}):
        made, _ = attempt(Export, trial, array, keywords)
        if made is not None and made.generation:
            return made.facts["dtype_name"]
    return None


def _own_dtype(trial):
    # A library that exports its own arrays of this dtype under another name is a matter of its producer.
    array, _ = attempt(trial.library.make, trial.order)
    return None if array is None else _exported_dtype(trial, array)


def imported_again(trial, capsule):
    """True when the library takes a capsule that it has consumed."""
    array, refusal = trial.library.from_dlpack(Replay(capsule))
    del array
    return refusal is None


def makes_read_only(trial):
    """True when the library has arrays that cannot be written: the case orders one."""
    return attempt(trial.library.make, trial.order)[1] is None


def collect():
    """Runs whatever still waits for the garbage collector."""
    settle(lambda: False, seconds=0)


def is_taken(trial, source):
    """True when the consumer did something to one of the capsules: took it, emptied it, or renamed it."""
    return bool(source.offers) and source.is_released() or Capsules(trial, source).touched


class Capsules:
    """How the library left the capsules that it was given. Keeps none of them.

    renamed: one has the name that it must have after its consumption
    misnamed: the name of one that has another name than before, but not that one
    cleared: one kept its name, but lost its destructor
    """

    def __init__(self, trial, source):
        self.renamed, self.misnamed, self.cleared = False, None, False
        for capsule, name in zip(source.capsules, source.names):
            look = attempt(trial.native.look, capsule)[0] or {}
            if look.get("name") == "used_" + name:
                self.renamed = True
            elif look.get("name") != name:
                self.misnamed = look.get("name") or "NULL"
            elif not look.get("has_destructor", True):
                self.cleared = True
        self.touched = bool(self.renamed or self.misnamed or self.cleared)


def consumed_capsule(trial, source):
    """The capsule that the library renamed as it must, or None: a consumer may ask for more than it takes."""
    for capsule, name in zip(source.capsules, source.names):
        if (attempt(trial.native.look, capsule)[0] or {}).get("name") == "used_" + name:
            return capsule
    return None


# Lengths of what the two names may have been kept in: plain text, or a Python object with a head before it. So many
# of each that they reach every hole in the memory of a process that has been running for a while.
_LENGTHS, _OBJECTS, _HOLES = (14, 24), (13, 23), 20_000
UNREADABLE = "no text"


def keeps_names(trial):
    """False when the library gives capsules names that it does not keep: then whatever comes there next is the name.

    Asked once, because such a capsule cannot be told from a misnamed one, nor from one that was never consumed.
    """
    if trial.library.keeps_names is None:
        source = Source(trial)
        done = Import(trial, source)
        if done.refusal:
            return True
        seen = {_names_amid(trial, source, filling) for filling in (None, b"x", b"y")}
        trial.library.keeps_names = len(seen) == 1 and not {UNREADABLE, ""} & set(seen.pop())
    return trial.library.keeps_names


def _names_amid(trial, source, filling):
    """The capsules' names while all free memory of such sizes holds `filling`."""
    filled = []
    for _ in range(_HOLES if filling else 0):
        filled += [bytearray(filling * length) for length in _LENGTHS]
        filled += [filling * length for length in _OBJECTS]
    looks = [attempt(trial.native.look, capsule)[0] for capsule in source.capsules]
    del filled
    return tuple(look["name"] if look else UNREADABLE for look in looks)


def names_are_lost(trial):
    """True when capsule.names-static is broken: nothing else can be told by a capsule, and all answers say so."""
    if keeps_names(trial):
        return False
    trial.out.blocked("by capsule.names-static", *trial.out.rest())
    return True


def judge_renamed(trial, generation, source, capsules, stays_whole):
    """capsule.renamed-*: by effect. Dropping the capsule releases nothing, and nobody can consume it again."""
    rule = f"capsule.renamed-{generation}"
    allowed = f'"used_{exporting.NAMES[generation]}"'
    if capsules.misnamed:
        trial.out.broken(rule, f'the consumed capsule is named "{capsules.misnamed}"', allowed)
    elif capsules.renamed:
        trial.out.pass_(rule)
    elif not stays_whole:
        trial.out.broken(rule, "the capsule keeps its name, and dropping it took the memory from the import", allowed)
    elif source.left_to_capsules:
        trial.out.info(rule, "the elements were copied and the capsule was left to its destructor", allowed)
    elif _is_accepted_again(trial, source):
        trial.out.broken(rule, "the capsule keeps its name and was consumed a second time", allowed)
    elif capsules.cleared:
        trial.out.info(rule, "the capsule keeps its name, but has lost its destructor", allowed)
    else:
        trial.out.info(rule, "the capsule keeps its name, but no second import takes it", allowed)


def _is_accepted_again(trial, source):
    """True when a capsule that kept its name is taken once more, or released once more in the attempt.

    One of its own, readable after its release: who copies has released the tensor by now.
    """
    another = source.another(poison_on_release=False)
    first = Import(trial, another)
    if first.refusal or not another.capsules:
        return False
    before = another.deleter_calls
    return imported_again(trial, another.capsules[-1]) or another.deleter_calls > before


def capsules_release(source):
    """Drops the capsules. True when that released the tensor."""
    released = source.is_released()
    source.forget_capsules()
    gc.collect()
    return source.is_released() and not released


def judge_whole(trial, source, generation):
    """An ordinary import: elements, dtype, capsule, and the releases."""
    if names_are_lost(trial):
        return
    done = Import(trial, source)
    if done.refusal:
        if judge_refusal_releases(trial, source):
            trial.out.not_applicable("managed.deleter-once")
        refused(trial, done)
        return
    trial.out.not_applicable("managed.error-releases")
    found, reason = trial.library.imported_contents(done.array)
    speaker = reading.other_speaker(trial, done.array, found)
    if speaker:
        trial.out.blocked(f"by {speaker}", "dtype.no-silent-reinterpret")
    else:
        judge_dtype(trial, done.array, found)
    capsules = Capsules(trial, source)
    early = source.is_released() and found is not None and found != trial.order.bytes and len(set(found)) == 1
    by_capsule = capsules_release(source) and capsules.renamed
    later = trial.library.imported_contents(done.array)[0]
    if later is None:
        later = found  # reading was refused this time: nothing was seen
    if not early and found != trial.order.bytes and later != found:
        # Wrong from the first, and never twice the same: that says nothing about releases.
        trial.out.blocked("by the elements, which change by themselves", "managed.not-early")
        later = found
    judge_renamed(trial, generation, source, capsules, stays_whole=later == found)
    if by_capsule:
        trial.out.blocked("by capsule.no-release-by-consumer-capsule", "managed.not-early")
    else:
        _judge_early(trial, capsules, early or later != found)
    if found is None:
        trial.out.unsupported(reason, *_content_rules(trial))
    elif early:
        trial.out.blocked("by managed.not-early", *_content_rules(trial))
    elif speaker and found != trial.order.bytes:
        trial.out.blocked(f"by {speaker}", *_content_rules(trial))
    elif found != trial.order.bytes and trial.out.is_broken("dtype.no-silent-reinterpret"):
        trial.out.blocked("by dtype.no-silent-reinterpret", *_content_rules(trial))
    elif found == trial.order.bytes:
        trial.out.pass_(*_content_rules(trial))
    elif trial.order.readonly and any(held != trial.order.bytes for held in source.contents()):
        trial.out.blocked("by flags.read-only-not-written", *_content_rules(trial))
    else:
        rule = _rule_of_wrong_elements(trial, generation)
        judge_elements(trial, found, rule)
        trial.out.blocked(f"by {rule}", *_content_rules(trial))
    done.drop()
    balanced = releases_balance(source)
    if not balanced and not capsules.touched and source.deleter_calls > source.handed_out:
        # Without elements nothing else shows it.
        observed = "the consumed capsule keeps its name, and released what the import released as well"
        trial.out.broken(f"capsule.renamed-{generation}", observed, f'"used_{exporting.NAMES[generation]}"')
    if trial.out.is_broken(f"capsule.renamed-{generation}"):
        # What was not taken over is released by the capsule as well.
        trial.out.blocked(f"by capsule.renamed-{generation}", "managed.deleter-once")
    judge_releases(trial, source)


SQUARE = (4, 4)


def _square(trial, generation, **changes):
    """What an import of four rows of four bytes shows; None where nothing does."""
    fields = {"dtype": "int32", "shape": SQUARE, "strides": (4, 1), "byte_offset": 0, "contents": bytes(range(64))}
    done = Import(trial, Source(trial, generation, **fields, **changes))
    return None if done.refusal else trial.library.imported_contents(done.array)[0]


def reads_byte_strides(trial, generation=None):
    """True when strides are taken for numbers of bytes: all elements then lie close together."""
    places = [4 * row + column for row in range(4) for column in range(4)]
    return _square(trial, generation) == b"".join(bytes(range(64))[place : place + 4] for place in places)


def shows_ordinary(trial, generation=None):
    """False when the elements of a compact array are wrong too: then an odd layout is not to blame."""
    return _square(trial, generation) in (None, bytes(range(64)))


def _rule_of_wrong_elements(trial, generation):
    """Who reads past ordinary strides as well has no trouble with zero or negative ones, but with elements at all."""
    rule = speaks_for_contents(trial)
    if reads_byte_strides(trial, generation):
        return "tensor.strides-unit"
    if trial.order.shape == () and shows_ordinary(trial, generation):
        return "tensor.ndim0-is-scalar"
    if rule not in ("tensor.strides-zero-ok", "tensor.strides-negative-ok"):
        return rule if shows_ordinary(trial, generation) else "tensor.element-address"
    doubled = tuple(2 * stride for stride in row_major(trial.order.shape))
    done = Import(trial, Source(trial, generation, strides=doubled, byte_offset=0))
    if done.refusal or trial.library.imported_contents(done.array)[0] == trial.order.bytes:
        return rule
    return "tensor.element-address"


def _judge_early(trial, capsules, early):
    if early and capsules.renamed:
        observed = "the tensor was released while the imported array still shows its memory"
        trial.out.broken("managed.not-early", observed, "no release before the last use")
    elif early:
        trial.out.blocked("by the capsule, which was not renamed", "managed.not-early")
    trial.out.pass_("managed.not-early")


def _content_rules(trial):
    return [rule for rule in trial.out.rules if rule.startswith("tensor.")]


def releases_balance(source):
    """After the last reference is gone: one call for each capsule, no more, no fewer."""
    source.forget_capsules()
    source.wait_for_release()
    return source.is_released() and source.deleter_calls == source.handed_out


def judge_releases(trial, source):
    """managed.deleter-once, after the last reference is gone."""
    rule = "managed.deleter-once"
    if releases_balance(source):
        if source.kept_until_next:
            trial.out.info(rule, "the release came when other tensors were imported", ONCE)
        trial.out.pass_(rule)
    elif not trial.out.answered(rule):
        trial.out.broken(rule, f"after the import was dropped {releases(source)}", ONCE)
