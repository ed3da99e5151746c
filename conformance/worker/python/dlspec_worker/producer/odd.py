"""Producers: arrays that DLPack cannot express in place. They are refused, or exported as a copy."""

from dlspec_worker.exports import exporting, judging
from dlspec_worker.exports.exporting import Export, refuse_rest
from dlspec_worker.exports.sizes import judge_size
from dlspec_worker.facts import elements, values
from dlspec_worker.facts.dlpack import IS_COPIED, NEWEST_FIRST, PADDED
from dlspec_worker.producer import copies, sharing
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant


def _ordinary_is_right(trial, *rules):
    """True when an ordinary array of these elements is exported correctly; if not, another rule is reported.

    `rules`: those that are blocked then, or all that are left.
    """
    made = exporting.newest_export(trial, trial.library.make(trial.order))
    if made.refusal:
        refuse_rest(trial, made)
        return False
    return judging.shows_elements(trial, made, *rules)


def _exports_of(trial, array):
    """The exports to a consumer of today, to one of 2021, and to one that wants a copy. No method is a refusal, too."""
    if not callable(getattr(array, "__dlpack__", None)) and "to_dlpack" not in trial.library.provides:
        return []
    made = [Export(trial, array, keywords) for keywords in (*NEWEST_FIRST, {**NEWEST_FIRST[0], "copy": True})]
    return [each for each in made if each.refusal is None]


def _shows(trial, made, order):
    """True when an export leads to the elements of `order`."""
    if made.fault or made.generation is None or not judging.is_readable(trial, made):
        return False
    same = made.facts["dtype_name"] == order.dtype and made.facts["shape"] == order.shape
    return same and attempt(trial.native.contents, made.capsule)[0] == order.bytes


@variant("producer", "byte-order")
def byte_order(trial):
    """dlpack.h 0.7, DLDataType: native byte order. A refusal is right, and so is a copy in native order."""
    observed = "exported an array of foreign byte order with other elements"
    allowed = "an exception, or elements in native byte order"
    _judge_elements_of(trial, "byte-order", "dtype.native-endian", observed, allowed)


@variant("producer", "record-field")
def record_field(trial):
    """dlpack.h, DLTensor.strides: whole elements. A field of packed records has none such: a refusal or a copy."""
    observed = "exported strides that are no whole elements, and shows other elements"
    column = values.changed(trial.order, shape=(elements.count_of(trial.order), 1))
    for order in (trial.order, column):  # a step that has no meaning must not hide those that have
        trial.order = order
        _judge_elements_of(trial, "record-field", "tensor.strides-whole-elements", observed, "BufferError, or a copy")


def _judge_elements_of(trial, kind, rule, observed, allowed):
    """An odd array that is exported all the same must show its elements."""
    if not _ordinary_is_right(trial):
        return
    for made in _exports_of(trial, trial.library.odd(kind, trial.order)):
        if not _shows(trial, made, trial.order):
            trial.out.violated(rule, f"{made.call} {observed}", allowed)
    trial.out.pass_(rule)
    _judge_no_copy(trial, kind)
    _judge_flag(trial, kind)


def _judge_flag(trial, kind):
    """A copy that nobody asked for is a copy, too, and says so."""
    rule = "flags.is-copied-set"
    array = trial.library.odd(kind, trial.order)
    made = Export(trial, array, NEWEST_FIRST[0])
    if made.refusal or made.generation != "versioned" or not _shows(trial, made, trial.order):
        trial.out.not_applicable(rule)
        return
    if not made.is_flagged(IS_COPIED) and sharing.shares_memory(trial, array, made) is False:
        trial.out.violated(rule, f"{kind}: {made.call} gave a copy without IS_COPIED", "the flag of a copy")
    trial.out.pass_(rule)


def _judge_no_copy(trial, kind):
    """Where a copy alone could show the elements, copy=False is refused."""
    rule = "python.copy-false"
    array = trial.library.odd(kind, trial.order)
    made, _ = copies.exports_with(trial, array, False)
    for each in made:
        if _shows(trial, each, trial.order) and sharing.shares_memory(trial, array, each) is False:
            trial.out.violated(rule, f"{kind}: {each.call} gave a copy", "the array's memory, or BufferError")
    trial.out.pass_(*([rule] if made else []))
    trial.out.not_applicable(rule)


@variant("producer", "no-dlpack-dtype")
def no_dlpack_dtype(trial):
    """Array API 2022.12, __dlpack__, Raises: BufferError for what cannot be exported."""
    rule = "dtype.unsupported-buffererror"
    array = trial.library.odd("dtype", trial.order)
    ordinary = trial.library.make(trial.order)
    if exporting.is_keyword_unknown(trial, ordinary, "max_version"):
        trial.out.not_applicable(rule)  # the edition 2021.12 names no error
        return
    if not callable(getattr(array, "__dlpack__", None)):
        trial.out.pass_(rule)
        return
    for keywords in NEWEST_FIRST:
        made = Export(trial, array, keywords)
        if made.refusal is None:
            trial.out.violated(rule, f"{made.call} exported a dtype that DLPack has no form for", "BufferError")
        elif not made.refusal.is_a(BufferError):
            trial.out.violated(rule, f"{made.call} raised {made.refusal.text}", "BufferError")
    trial.out.pass_(rule)


@variant("producer", "sparse", "distributed")
def not_one_piece(trial):
    """Array API 2023.12, data interchange, non-supported use cases: one strided array on one device, or none."""
    rule = "device.single"
    if not _ordinary_is_right(trial, rule):
        return
    for made in _exports_of(trial, trial.library.odd(trial.variant, trial.order)):
        if not _shows(trial, made, trial.order):
            trial.out.violated(
                rule,
                f"{made.call} exported a {trial.variant} array, and does not show all of it",
                "an exception, or all elements on one device",
            )
    trial.out.pass_(rule)


# --- views and sizes of packed arrays


@variant("producer", "sliced")
def sliced(trial):
    """dmlc/dlpack#158: there is no bit offset, so a packed view starts on a byte, or is a copy, or is refused."""
    rule = "dtype.subbyte-start-on-byte"
    order = trial.order
    bits = elements.bits_of(order.dtype)
    if bits >= 8:
        trial.out.not_applicable(rule)
        return
    if not _ordinary_is_right(trial, rule):
        return
    array = trial.library.make(order)
    for first in range(1, min(8, order.shape[0])):
        _judge_slice(trial, rule, array, first)
    trial.out.pass_(rule)


def _judge_slice(trial, rule, array, first):
    order, bits = trial.order, elements.bits_of(trial.order.dtype)
    view, refusal = attempt(lambda: array[first:])
    if refusal:
        raise Unsupported(f"the array cannot be sliced: {refusal.text}")
    numbers = elements.split(order.bytes, bits, order.shape[0])[first:]
    rest = elements.with_layout(order, None)
    rest.shape, rest.bytes = (len(numbers),), elements.pack(numbers, bits)
    held = trial.library.contents_or_none(view)
    if held is not None and held != rest.bytes:
        raise Unsupported(f"array[{first}:] is not the rest of the array")
    for made in _exports_of(trial.again(rest), view):
        if not _shows(trial, made, rest):
            observed = f"{made.call} of array[{first}:] shows other elements"
            trial.out.violated(rule, observed, "the elements of the view, or BufferError")


@variant("producer", "size")
def size(trial):
    """dlpack.h 1.1, DLDataType against the size formula of DLTensor.data: packed elements are rounded up once."""
    if elements.bits_of(trial.order.dtype) >= 8:
        trial.out.not_applicable("tensor.size-formula")
    elif _ordinary_is_right(trial, "tensor.size-formula"):
        array = trial.library.make(trial.order)
        made = exporting.newest_export(trial, array)
        judge_size(trial, array, padded=bool(made.facts["flags"] and made.is_flagged(PADDED)))
