"""The elements that an export leads to, and which rule is reported where they are not those of the array."""

from dlspec_worker.exports import exporting, judging
from dlspec_worker.facts import dlpack, elements, wording
from dlspec_worker.facts.dlpack import PADDED
from dlspec_worker.facts.elements import AXES, OVERLAP, Way
from dlspec_worker.trial.attempts import attempt

PACKED_RULES = ("dtype.subbyte-packed-default", "dtype.subbyte-bit-order", "dtype.subbyte-int")
WIDER = {"int4": "int8", "uint4": "uint8", "int2": "int8", "uint2": "uint8"}


def judge(trial, array, made, rule="tensor.element-address"):
    """tensor.element-address, and the rules on the ways in which elements can be wrong.

    `rule`: the one that is reported where no way of its own is found.
    """
    order = trial.order
    other = _other_dtype(trial, made)
    if other:
        trial.out.blocked(f"by {other}", *rest(trial))
        return
    found, misfit = attempt(trial.native.contents, made.capsule)
    if misfit:
        trial.out.blocked(f"dlspec cannot read the export ({misfit.text})", *rest(trial))
    elif is_widened(order, made.facts):
        _judge_widened(trial, made, found)
    elif trial.out.is_violated(AXES):
        trial.out.blocked(f"by {AXES}", *rest(trial))
    elif found == order.bytes:
        _all_is_right(trial)
    elif _is_padded_unsaid(trial, made, found) or _are_all_padded_unsaid(trial, made):
        _judge_padded(trial, array, made)
    elif elements.are_brain_pairs(order, found):
        trial.out.blocked("by dtype.complex32-is-fp16-pair", *rest(trial))
    else:
        observed = f"the struct leads to other elements: {wording.of_bytes(found, order.bytes)}"
        way = _way(trial, made, found) or Way(rule, observed, "the contents of the source array", True)
        if not trial.out.wants(way.rule):
            way = Way(rule, observed, "the contents of the source array", True)
        if way.is_other_values:
            trial.out.wrong_value(way.rule, way.observed, way.allowed)
        else:
            trial.out.violated(way.rule, way.observed, way.allowed)
        trial.out.blocked(f"by {way.rule}", *rest(trial))


def rest(trial):
    """The rules of the case that the elements decide."""
    return [rule for rule in trial.out.rest() if rule == "tensor.element-address" or rule in _DECIDED]


_DECIDED = frozenset(
    ("dtype.complex-interleaved", "dtype.bool-bytes-0-1", "dtype.native-endian", AXES, OVERLAP, *PACKED_RULES)
)


def _all_is_right(trial):
    order = trial.order
    width = elements.bits_of(order.dtype)
    applies = {
        "dtype.complex-interleaved": "complex" in order.dtype,
        "dtype.bool-bytes-0-1": order.dtype == "bool",
        "dtype.native-endian": width > 8,
        AXES: len(order.shape) > 1,
        OVERLAP: elements.overlaps(order),
        "dtype.subbyte-packed-default": width < 8,
        "dtype.subbyte-bit-order": width < 8,
        "dtype.subbyte-int": width < 8 and order.dtype in WIDER,
    }
    trial.out.pass_("tensor.element-address", *(rule for rule, does in applies.items() if does and order.bytes))
    trial.out.not_applicable(*rest(trial))


def _other_dtype(trial, made):
    """The rule that is reported for a dtype of another size, whose elements cannot be compared; or None."""
    if not judging.is_of_other_width(trial.order, made.facts):
        return None
    return next((rule for rule in trial.out.rules if rule.startswith("dtype.") and trial.out.is_violated(rule)), None)


# --- axes in the other order


def is_turned(trial, made):
    """Answers AXES where the struct describes the array with its axes in reversed order, shape and strides alike."""
    shape = trial.order.shape
    if made.facts["shape"] != shape[::-1] or made.facts["shape"] == shape or not trial.out.wants(AXES):
        return False
    if not judging.is_readable(trial, made):
        return False
    if attempt(trial.native.contents, made.capsule)[0] != elements.in_reversed_axes(trial.order):
        return False
    trial.out.violated(
        AXES,
        f"shape {made.facts['shape']} of an array of shape {shape}, its axes reversed",
        "axis 0 first; a column-major array told by its strides",
    )
    return True


# --- elements narrower than a byte


def is_widened(order, facts):
    """The name of the 8-bit integer that a narrower integer is exported as, or None."""
    wider = WIDER.get(order.dtype)
    return wider if wider is not None and facts["dtype_name"] == wider else None


def _judge_widened(trial, made, found):
    width, order = elements.bits_of(trial.order.dtype), trial.order
    numbers = elements.split(order.bytes, width, elements.count_of(order))
    if [byte & (1 << width) - 1 for byte in found] != numbers:
        observed = f"as {made.facts['dtype_name']} the struct leads to other elements"
        trial.out.wrong_value("tensor.element-address", observed, "the contents of the source array")
    else:
        observed = f"{order.dtype} goes out as {made.facts['dtype_name']}, one element to a byte"
        trial.out.info("dtype.subbyte-int", observed, f"{order.dtype}, packed; who does not have it refuses")
        trial.out.pass_("tensor.element-address")
    trial.out.not_applicable(*rest(trial))


def _is_padded_unsaid(trial, made, found):
    """True when the memory holds elements one to a byte that should be packed."""
    _, bits, lanes = made.facts["dtype"]
    if bits * lanes >= 8 or made.is_flagged(PADDED) or len(found) < 2:
        return False
    packed, mask = int.from_bytes(trial.order.bytes, "little"), (1 << bits) - 1
    return all(byte & mask == packed >> (place * bits) & mask for place, byte in enumerate(found))


def _are_all_padded_unsaid(trial, made):
    """True when compact arrays of the dtype are padded: in other layouts that is not seen from packed elements."""
    order = trial.order
    if order.strides is None or elements.bits_of(order.dtype) >= 8:
        return False
    plain = _elements_of(trial, made, elements.with_layout(order, None))
    return plain is not None and _is_padded_unsaid(trial, made, plain)


def _has_flag(made):
    """Structs before 1.1, and those without a version, have no flag for padding."""
    return (made.facts["version"] or (0, 0)) >= (1, 1)


def _judge_padded(trial, array, made):
    flag, packed = "flags.padded-set-when-padded", "dtype.subbyte-packed-default"
    if _has_flag(made):
        observed = "IS_SUBBYTE_TYPE_PADDED is clear although the elements lie one to a byte"
        trial.out.violated(flag, observed, "the flag set")
        trial.out.blocked(f"by {flag}", *rest(trial))
        return
    newest = exporting.Export(trial, array, {"max_version": dlpack.NEWEST})
    if newest.generation and newest.facts["dtype"] and _has_flag(newest) and not newest.is_flagged(PADDED):
        # The newest export is the same: the flag that it lacks is reported.
        trial.out.blocked(f"by {flag}", *rest(trial))
        return
    observed = "elements lie one to a byte in a struct that has no flag to say so"
    trial.out.violated(packed, observed, "packed elements, or BufferError")
    trial.out.blocked(f"by {packed}", *rest(trial))


# --- elements of another arrangement


def _way(trial, made, found):
    order = trial.order
    if elements.count_of(order) == 1 and elements.bits_of(order.dtype) > 8:
        order = elements.of_twelve(order)
        twelve = _elements_of(trial, made, order)
        return None if twelve in (None, order.bytes) else elements.way_of(order, twelve)
    way = elements.way_of(order, found)
    if way or order.strides is None:
        return way or _way_of_axes(trial, made, found)
    plain = _elements_of(trial, made, elements.with_layout(order, None))
    if plain is not None and plain != order.bytes:
        return elements.way_of(order, plain)  # the layout is not the cause
    if plain is not None and elements.overlaps(order) and not _fails_strided(trial, made):
        observed = "an array whose elements overlap shows other elements"
        return Way(OVERLAP, observed, "the contents of the source array", True)
    return _way_of_axes(trial, made, found)


def _way_of_axes(trial, made, found):
    order = trial.order
    if len(order.shape) < 2 or found != elements.in_reversed_axes(order) or _fails_strided(trial, made):
        return None
    observed = "the elements of a column-major array are described as those of a row-major one"
    return Way(AXES, observed, "strides that tell the order of the axes", False)


def _fails_strided(trial, made):
    """True when this library shows wrong elements wherever strides say anything."""
    order = trial.order
    strides = tuple(2 * stride for stride in elements.row_major(order.shape))
    found = _elements_of(trial, made, elements.with_layout(order, strides))
    return found is not None and found != order.bytes


def _elements_of(trial, made, order):
    """The elements of a similar export in another layout; None when there is none."""
    capsule, refusal = attempt(lambda: exporting.dlpack_of(trial, trial.library.make(order))(**made.keywords))
    if refusal or exporting.fault_of(trial, order, capsule):
        return None
    judged, misfit = attempt(trial.native.judge, capsule, [], {})
    return attempt(trial.native.contents, capsule)[0] if not misfit and judged["readable"] else None


def judge_contents(trial, capsule, rule):
    """The elements that the struct leads to, against those that were ordered, for the sake of another rule."""
    found, misfit = attempt(trial.native.contents, capsule)
    if misfit:
        trial.out.blocked(f"dlspec cannot read the export ({misfit.text})", rule)
    elif found == trial.order.bytes:
        trial.out.pass_(rule)
    else:
        observed = f"the struct leads to other elements: {wording.of_bytes(found, trial.order.bytes)}"
        trial.out.wrong_value(rule, observed, "the contents of the source array")
