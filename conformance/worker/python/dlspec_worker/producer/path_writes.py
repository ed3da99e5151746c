"""Writes to an array that was exported: whose memory an export is, and whether the array can still be written."""

from dlspec_worker.exports import exporting
from dlspec_worker.facts import elements, values
from dlspec_worker.producer import path_steps as steps
from dlspec_worker.producer.sharing import other_contents, shares_memory
from dlspec_worker.producer.structs import is_writable
from dlspec_worker.trial.attempts import attempt


def is_copied(trial, source, made):
    """Whether the export is a copy; None when nothing tells, or neither request nor struct says anything of it."""
    if ("copy" not in made.keywords and not steps.is_copied(made)) or 0 in trial.order.shape:
        return None
    shared = _is_shared(trial, source, made)
    return None if shared is None else not shared


def known_read_only(trial, source, copied):
    """Whether the memory of the source may not be written: True, False, or None, which nobody knows."""
    if not trial.order.readonly:
        return False if not (source.is_derived or copied) and is_writable(trial) else None
    if not source.is_derived:
        return True
    # What was derived may be memory of its own: indexing copies in some libraries, and states are worked out.
    writable = trial.again(values.changed(trial.order, readonly=False))
    refuses = not source.is_state and is_writable(writable) and trial.library.write(source.array, trial.order.bytes)
    return True if refuses else None


def _is_shared(trial, source, made):
    order = trial.order
    if order.readonly or 0 in (order.strides or ()) or elements.overlaps(order):
        # A write would reach several elements: only the address tells.
        plain = exporting.newest_export(trial, source.array)
        same = plain.generation is not None and plain.first_element() == made.first_element()
        return True if same else None
    return shares_memory(trial, source.array, made)


def judge_write(trial, way, source, made):
    """A write to the array reaches the exports that share its memory, and no copy."""
    other = other_contents(trial.order)
    if other == trial.order.bytes:
        return
    if not trial.library.is_written(source.array, other):
        _judge_unwritable(trial, way, other)
        return
    found = attempt(trial.native.contents, made.capsule)[0]
    frozen = trial.library.write(source.array, trial.order.bytes)
    if found == other and _is_shared(trial, source, made):
        pass  # one that is flagged as a copy is reported for its flag
    elif steps.is_copied(made) and found != trial.order.bytes:
        observed = "a write to the source changed the copy"
        trial.out.violated("flags.is-copied-exclusive", observed, "a copy that nobody else writes")
    elif made.keywords.get("copy") and found == other:
        trial.out.violated("python.copy-true", "a write to the source changed the copy", "a copy, or an exception")
    if frozen is not None:
        observed = f"while the export lives the array cannot be written: {frozen.text}"
        trial.out.violated("python.no-effect-on-source", observed, "an array as usable as before")


def _judge_unwritable(trial, way, other):
    """An array that cannot be written while an export lives, where one without exports can."""
    if way.get("origin", "made") != "made" or not trial.library.is_written(trial.library.make(trial.order), other):
        return
    observed = "while the export lives the array cannot be written"
    trial.out.violated("python.no-effect-on-source", observed, "an array as usable as before")
