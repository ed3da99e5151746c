"""An ordinary import, judged as a whole: its elements, its dtype, its capsule, and its releases."""

from dlspec_worker.facts import dlpack
from dlspec_worker.facts.elements import row_major
from dlspec_worker.imports import capsule_names, dtypes, importing, plain_layouts, readers
from dlspec_worker.imports.consumed_capsules import Capsules, capsules_release
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source, goes_with_the_next


def judge_whole(trial, source, generation):
    """An ordinary import: elements, dtype, capsule, and the releases."""
    if capsule_names.names_are_lost(trial):
        return
    done = Import(trial, source)
    if done.refusal:
        if importing.judge_refusal_releases(trial, source):
            trial.out.not_applicable("managed.deleter-once")
        importing.refused(trial, done)
        return
    trial.out.not_applicable("managed.error-releases")
    found, reason = trial.library.imported_contents(done.array)
    masking = dtypes.judge_dtype(trial, done.array, found)
    capsules = Capsules(trial, source)
    early = source.is_released() and found != trial.order.bytes and _shows_poison(found)
    by_capsule = capsules_release(source) and capsules.renamed
    later = trial.library.imported_contents(done.array)[0]
    if later is None:
        later = found  # the second reading was refused
    if not early and found != trial.order.bytes and later != found:
        # Wrong from the start, and different each time: that is no sign of an early release.
        trial.out.blocked("by the elements, which change by themselves", "managed.not-early")
        later = found
    capsule_names.judge_renamed(trial, generation, source, capsules, stays_whole=later == found)
    if by_capsule:
        trial.out.blocked("by capsule.no-release-by-consumer-capsule", "managed.not-early")
    else:
        _judge_early(trial, capsules, early or later != found)
    if found is None:
        trial.out.unsupported(reason, *_content_rules(trial))
    elif early:
        trial.out.blocked("by managed.not-early", *_content_rules(trial))
    elif masking and found != trial.order.bytes:
        trial.out.blocked(f"by {masking}", *_content_rules(trial))
    elif found != trial.order.bytes and trial.out.is_violated("dtype.no-silent-reinterpret"):
        trial.out.blocked("by dtype.no-silent-reinterpret", *_content_rules(trial))
    elif found == trial.order.bytes:
        trial.out.pass_(*_content_rules(trial))
    elif trial.order.readonly and any(held != trial.order.bytes for held in source.contents()):
        trial.out.blocked("by flags.read-only-not-written", *_content_rules(trial))
    elif doubt := readers.doubt(trial, done.array, found):
        trial.out.unsupported(doubt, *_content_rules(trial))
    else:
        rule = _rule_of_wrong_elements(trial, generation)
        importing.judge_elements(trial, found, rule, done.array)
        trial.out.blocked(f"by {rule}", *_content_rules(trial))
    done.drop()
    balanced = importing.releases_balance(source)
    if not balanced and not capsules.touched and source.deleter_calls > source.handed_out:
        # An empty tensor shows it by nothing else.
        observed = "the consumed capsule keeps its name, and released what the import released as well"
        trial.out.violated(f"capsule.renamed-{generation}", observed, f'"used_{dlpack.NAMES[generation]}"')
    if trial.out.is_violated(f"capsule.renamed-{generation}"):
        # A capsule that was not renamed releases the tensor as well.
        trial.out.blocked(f"by capsule.renamed-{generation}", "managed.deleter-once")
    if not balanced and not capsule_names.keeps_names(trial):
        trial.out.blocked("by capsule.names-static", "managed.deleter-once")
    if not balanced and trial.out.wants("dtype.no-silent-reinterpret"):  # which looked at an export of the import
        judge_kept_by_export(trial, source)
    importing.judge_releases(trial, source)
    importing.judge_pointer(trial, source)


POISON = b"\xdb"  # oracle/canary_memory.h; the canaries around the elements are other bytes


def _shows_poison(found):
    """True when every byte is what released memory is overwritten with; a copy may be wrong by showing other bytes."""
    return bool(found) and found == POISON * len(found)


def judge_kept_by_export(trial, source, **keywords):
    """Blocks managed.deleter-once where an import of `source` that lives on was exported, and is released otherwise."""
    if source.live and _is_released_unexported(trial, source, keywords):
        trial.library.exports_hold = True
        trial.out.blocked("by the export of the import, which keeps it", "managed.deleter-once")


def _is_released_unexported(trial, source, keywords):
    """True when an import is released that was not exported again: then the export keeps it alive."""
    another = source.another()
    done = Import(trial, another, **keywords)
    if done.refusal:
        return False
    trial.library.imported_contents(done.array)
    done.drop()
    # A release that other imports bring is only late.
    return importing.releases_balance(another) and not goes_with_the_next(trial, source.is_released)


def _rule_of_wrong_elements(trial, generation):
    """A library that misreads ordinary strides too violates the general rule, not those on zero or negative strides."""
    rule = importing.rule_of_layout(trial)
    if plain_layouts.reads_byte_strides(trial, generation):
        return "tensor.strides-unit"
    if trial.order.shape == () and plain_layouts.shows_ordinary(trial, generation):
        is_offset = trial.order.offset and importing.is_right_without_offset(trial)
        return rule if is_offset else "tensor.ndim0-is-scalar"
    if rule not in ("tensor.strides-zero-ok", "tensor.strides-negative-ok"):
        return rule if plain_layouts.shows_ordinary(trial, generation) else "tensor.element-address"
    doubled = tuple(2 * stride for stride in row_major(trial.order.shape))
    done = Import(trial, Source(trial, generation, strides=doubled, byte_offset=0))
    if done.refusal or trial.library.imported_contents(done.array)[0] == trial.order.bytes:
        return rule
    return "tensor.element-address"


def _judge_early(trial, capsules, early):
    if early and capsules.renamed:
        observed = "the tensor was released while the imported array still shows its memory"
        trial.out.violated("managed.not-early", observed, "no release before the last use")
    elif early:
        trial.out.blocked("by the capsule, which was not renamed", "managed.not-early")
    trial.out.pass_("managed.not-early")


def _content_rules(trial):
    return [rule for rule in trial.out.rules if rule.startswith("tensor.")]
