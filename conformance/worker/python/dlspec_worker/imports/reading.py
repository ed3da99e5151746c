"""How a library reads a tensor with some fields changed, as most of the unusual cases ask."""

import re

from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import elements
from dlspec_worker.facts.dlpack import FP8, HALF_PAIRS, IS_COPIED, NEWEST_FIRST, NOBODY, PADDED, READ_ONLY
from dlspec_worker.imports import readers, writers
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt


class Reading:
    """One import and the elements that it shows. `expected`: the right elements, in place of the ordered ones."""

    def __init__(self, trial, generation=None, expected=None, **changes):
        self.source = Source(trial, generation, **changes)
        self.array, self.refusal = trial.library.from_dlpack(self.source)
        self.found, self.reason = None, None
        if self.refusal is None:
            self.found, self.reason = trial.library.imported_contents(self.array)
        self.expected = trial.order.bytes if expected is None else expected
        doubt = readers.contradiction(trial, self.array, self.found, self.expected)
        if doubt and "dtype" not in changes:  # otherwise that dtype is what the case is about
            self.found, self.reason = None, doubt
        self.source.let_write()

    def drop(self):
        self.array = None

    @property
    def is_refused(self):
        return self.refusal is not None

    @property
    def is_right(self):
        return self.found == self.expected

    @property
    def is_wrong(self):
        """True when it was imported and shows other elements; a library that shows none is not wrong."""
        return self.found is not None and self.found != self.expected


def exported(trial, array):
    """The array's own export as a consumer of today asks for it, or None."""
    for keywords in NEWEST_FIRST:
        made, _ = attempt(Export, trial, array, keywords)
        if made is not None and made.generation and made.facts["dtype"] is not None:
            return made
    return None


def shown_dtype(trial, array):
    """The dtype by the array's export, else by the name of its attribute `dtype`; None where neither tells."""
    made = exported(trial, array)
    if made is not None:
        return made.facts["dtype_name"]
    name, _ = attempt(lambda: str(array.dtype))
    match = re.search(r"\w+$", name or "")
    return match and match[0]


def takes_everything(trial):
    """True when elements on an undefined device are shown: then the library ignores the device."""
    return Reading(trial, device=NOBODY).found is not None


# --- elements that are read as another dtype, which a case of its own reports


def masking_rule(trial, array, found):
    """The rule that is reported for this import in a case of its own, and masks others here; or None."""
    if importable_as_other(trial, array, FP8):
        return "dtype.fp8-variants-distinct"
    if importable_as_other(trial, array, HALF_PAIRS):
        return "dtype.complex32-is-fp16-pair"
    if found is None or found == trial.order.bytes:
        return None
    if elements.vector(trial.order.dtype) and ignores_lanes(trial, found) and _is_compact_wrong(trial):
        return "dtype.lanes-unsupported-rejected"
    if trial.order.dtype in ("int4", "float4_e2m1fn") and Reading(trial, "versioned", flags=PADDED).is_right:
        return "flags.padded-checked"
    return None


def _is_compact_wrong(trial):
    """True when a compact tensor of this dtype is misread, too: the layout is not the cause."""
    return Reading(trial, strides=elements.row_major(trial.order.shape), byte_offset=0).is_wrong


def importable_as_other(trial, array, alike):
    """True when one of these dtypes, which are easily confused, was imported as another of them."""
    if trial.order.dtype not in alike:
        return False
    shown = shown_dtype(trial, array)
    return shown in alike and shown != trial.order.dtype and shown != own_dtype(trial)


def own_dtype(trial):
    """The dtype of the library's own array when exported: another name there is judged as a producer."""
    array, _ = attempt(trial.library.make, trial.order)
    return None if array is None else shown_dtype(trial, array)


def ignores_lanes(trial, found):
    """True when vectors are read wrongly but scalars correctly."""
    scalar, lanes = elements.vector(trial.order.dtype)
    plain = trial.order.bytes[: len(trial.order.bytes) // lanes]
    return found != trial.order.bytes and Reading(trial, expected=plain, dtype=scalar, contents=plain).is_right


def has_lanes_as_axis(trial, array):
    """True when vectors were imported as scalars with one more axis, which is allowed."""
    lanes = elements.vector(trial.order.dtype)
    made = lanes and exported(trial, array)
    if not made:
        return False
    return (made.facts["dtype_name"], made.facts.get("shape")) == (lanes[0], (*trial.order.shape, lanes[1]))


# --- whether it may be written


def writability(trial, array):
    """True, False, or None when nothing tells. Tries to write, and may change elements, only as the last resort."""
    flags, _ = attempt(getattr, array, "flags")
    writeable, _ = attempt(getattr, flags, "writeable")
    if isinstance(writeable, bool):
        return writeable
    made = exported(trial, array)
    if made is not None and made.is_flagged(READ_ONLY):
        return False
    if "write" not in trial.library.provides:
        return None
    shown = trial.library.imported_contents(array)[0]
    if not shown:
        return None
    writers.respects_read_only(trial.library, trial.order)
    data = shown[-4:] + shown[:-4]
    if trial.library.write(array, data) is not None:
        return False
    return trial.library.imported_contents(array)[0] == data


def shares_memory(trial, done):
    """True, False, or None when nothing tells whose memory an import has."""
    if done.source.is_released():
        return False
    made = exported(trial, done.array)
    if made is not None and not made.is_flagged(IS_COPIED):
        return made.first_element() in [offer.data_address for offer in done.source.offers]
    if "write" not in trial.library.provides:
        return None
    before = done.source.contents()
    shown = trial.library.imported_contents(done.array)[0] or b""
    trial.library.write(done.array, shown[-4:] + shown[:-4])
    return done.source.contents() != before
