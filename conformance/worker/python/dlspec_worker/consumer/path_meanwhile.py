"""What happens while an import of a path lives, and what lives on in its place."""

from dlspec_worker.consumer import onward
from dlspec_worker.consumer import path_steps as steps
from dlspec_worker.imports import importing, reading
from dlspec_worker.imports.consumed_capsules import Capsules

LATER = 20  # imports: more than a ring of fixed size is likely to hold
LARGE = 1 << 16  # bytes

EARLY, WRITTEN, SHOWN = "managed.not-early", "tensor.metadata-not-mutated", "tensor.element-address"


def judge_meanwhile(trial, way, done):
    """What happens while the import lives. Gives what is released at the end."""
    level = way.get("after", "nothing")
    held = _HELD.get(level, lambda _, import_: import_)(trial, done)
    if level == "part" and held is not done:
        _judge_part(trial, done, held)
    if held is not done:
        done.drop()
    count = LATER if level == "import" and len(trial.order.bytes) < LARGE else 3
    others = [steps.imported(trial, way) for _ in range(count)] if level in ("import", "import-released") else []
    if level == "other":
        others = steps.crowd(trial, way)
    if level == "import-released":
        for each in others:
            each.drop()
            importing.releases_balance(each.source)
    renamed = Capsules(trial, done.source).renamed
    done.source.forget_capsules()
    rule = "managed.keep-all-in-slice" if level in _HELD else EARLY
    if not renamed:
        rule = "capsule.renamed-legacy" if way.get("struct", "1.3") == "legacy" else "capsule.renamed-versioned"
    now = trial.library.imported_contents(held.array)[0]
    expected = trial.order.bytes if held is done else held.order.bytes
    if now is not None and now != expected and not trial.out.is_violated(SHOWN):
        observed = f"after {level} the import shows other elements"
        trial.out.violated(rule, observed, "the elements, until the last use")
    if renamed:
        trial.out.pass_(rule, EARLY)
    return held


_HELD = {"view": steps.view, "part": steps.part}


def _judge_part(trial, done, part):
    """A part of the import begins where it should, as does its own export."""
    found = trial.library.imported_contents(part.array)[0]
    if found is not None and found != part.order.bytes:
        trial.out.wrong_value(SHOWN, "array[1:, 1:] of the import shows other elements", "that part of the tensor")
    elif not trial.library.exports_hold:
        made = reading.exported(trial, part.array)
        if made is not None and made.facts["data"] is not None:
            onward.judge_place_of_part(trial, done, part, made)


def judge_untouched(trial, way, source):
    if way.get("channel", "function") == "table":
        trial.out.not_applicable(WRITTEN)  # dlspec's own watch stands in the struct
    elif not all(offer.struct_intact() for offer in source.offers if offer.live_exports):
        trial.out.violated(
            WRITTEN, "the struct, its shape or its strides were written to", "a struct that is only read"
        )
    trial.out.pass_(WRITTEN, "flags.read-only-not-written")  # a write kills the worker, which reports why
