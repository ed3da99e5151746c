"""Consumers: dtypes that are easily confused, and widths that few libraries have."""

import re
import struct

from dlspec_worker.facts.dlpack import FP8, PADDED, DtypeCode
from dlspec_worker.facts.wording import of_bytes
from dlspec_worker.imports.importing import judge_refusal_releases, refused, unless_refused
from dlspec_worker.imports.reading import Reading, exported, ignores_lanes, own_dtype, shown_dtype
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant


@variant("consumer", "lanes")
def lanes(trial):
    """dlpack.h 0.1, DLDataType.lanes: a library without vector types refuses elements of several lanes."""
    rule = "dtype.lanes-unsupported-rejected"
    for generation in (None, "legacy"):
        judge_lanes(trial, rule, Reading(trial, generation))


def judge_lanes(trial, rule, reading):
    if reading.is_right:
        _judge_named_dtype(trial, rule, reading)
    elif reading.is_refused:
        trial.out.pass_(rule)
    elif reading.found is None:
        _judge_held_lanes(trial, rule, reading)
    elif ignores_lanes(trial, reading.found):
        observed = f"{trial.order.dtype} was imported with other elements: {of_bytes(reading.found, trial.order.bytes)}"
        trial.out.violated(rule, observed, "the vectors' elements, or a refusal")
    else:
        trial.out.blocked("by the elements of every import", rule)


def _judge_named_dtype(trial, rule, reading):
    """The right bytes under another name are no vectors: two floats are no complex number."""
    made = exported(trial, reading.array)
    if made is not None and _kind(made.facts["dtype_name"]) != _kind(trial.order.dtype):
        observed = f"{trial.order.dtype} is exported again as {made.facts['dtype_name']}"
        trial.out.violated(rule, observed, "the vectors' elements, or a refusal")
    trial.out.pass_(rule)


def _kind(dtype):
    """ "float" of "float32x2"."""
    return re.match("[a-z]*", dtype)[0]


def _judge_held_lanes(trial, rule, reading):
    made = exported(trial, reading.array)
    if made is None:
        trial.out.unsupported(reading.reason, rule)
    elif made.facts["dtype"][2] == 1 and len(made.facts.get("shape") or ()) == len(trial.order.shape):
        observed = f"{trial.order.dtype} is exported again as {made.facts['dtype_name']} of the same shape"
        trial.out.violated(rule, observed, "the vectors' elements, or a refusal")
    trial.out.pass_(rule)


@variant("consumer", "bool-width")
def bool_width(trial):
    """dlpack.h 0.8, DLDataType, the example of a bool: one byte; no other width has an agreed meaning."""
    rule = "dtype.bool-other-bits-rejected"
    truth = bytes(int(digit) for digit in "10110100")  # as many as fill a byte, so that every bit belongs to an element
    fields = {"shape": (2, 4), "strides": (4, 1)}
    if Reading(trial, expected=truth, contents=truth, **fields).is_wrong:
        trial.out.blocked("by the elements of every import", rule)
        return
    words = b"".join(struct.pack("=H", value) for value in truth)
    packed = sum(value << place for place, value in enumerate(truth)).to_bytes(1, "little")
    for bits, stored in ((16, words), (1, packed)):
        reading = Reading(trial, dtype=f"uint{bits}", code=DtypeCode.kDLBool, contents=stored, **fields)
        if reading.found is not None and reading.found not in (stored, truth):
            observed = f"booleans of {bits} bits were imported as other values"
            trial.out.wrong_value(rule, observed, "a refusal, or the values of booleans of that width")
    trial.out.pass_(rule)


@variant("consumer", "padded")
def padded(trial):
    """dlpack.h 1.1, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED: the flag tells packed elements from padded ones."""
    rule = "flags.padded-checked"
    apart = Reading(trial, "versioned", flags=PADDED)
    together = Reading(trial, "versioned", flags=0)
    for each in (apart, together):
        if each.is_refused and not judge_refusal_releases(trial, each.source):
            break
    trial.out.not_applicable("managed.error-releases")
    if apart.is_refused and (together.is_refused or apart.source.refused_the_question):
        refused(trial, apart)
    elif apart.is_refused or (apart.is_right and not together.is_wrong):
        trial.out.pass_(rule)
    elif apart.found is None:
        trial.out.unsupported(apart.reason, rule)
    elif apart.is_wrong and together.is_wrong:
        trial.out.blocked("by tensor.element-address", rule)
    elif apart.is_wrong:
        observed = f"padded elements are read as packed ones: {of_bytes(apart.found, trial.order.bytes)}"
        trial.out.violated(rule, observed, "the elements by the flag, or a refusal")
    else:
        observed = "packed elements are read as padded ones, those with the flag rightly"
        trial.out.violated(rule, observed, "the elements by the flag, or a refusal")


@variant("consumer", "fp8")
def fp8(trial):
    """dlpack.h 1.1, DLDataTypeCode: one enumerator for each 8-bit float; a byte has another value in each."""
    rule = "dtype.fp8-variants-distinct"
    reading = unless_refused(trial, Reading(trial))
    shown = shown_dtype(trial, reading.array)
    if shown in FP8 and shown not in (trial.order.dtype, own_dtype(trial)):
        trial.out.violated(rule, f"{trial.order.dtype} was imported as {shown}", f"{trial.order.dtype}, or a refusal")
    elif shown is None:
        trial.out.unsupported("neither an export nor an attribute tells the dtype of the import", rule)
    elif shown not in FP8:
        trial.out.blocked("by dtype.no-silent-reinterpret", rule)
    trial.out.pass_(rule)


@variant("consumer", "complex32")
def complex32(trial):
    """dmlc/dlpack#184: kDLComplex of 32 bits are two of IEEE binary16; for two of bfloat16 there is another code."""
    rule = "dtype.complex32-is-fp16-pair"
    reading = unless_refused(trial, Reading(trial))
    allowed = "a pair of binary16, or a refusal"
    value = first_value(reading)
    if value is not None and value == pair(trial.order.bytes[:4], bfloat):
        trial.out.wrong_value(rule, "the parts of a complex number are read as bfloat16", allowed)
    elif value is not None and value == pair(trial.order.bytes[:4], half):
        trial.out.pass_(rule)
    shown = shown_dtype(trial, reading.array)
    if shown == "bcomplex32" and own_dtype(trial) != shown:
        trial.out.wrong_value(rule, "complex32 was imported as bcomplex32", allowed)
    elif shown in ("complex32", own_dtype(trial)) and shown is not None:
        trial.out.pass_(rule)
    trial.out.unsupported("neither a value nor an export tells what the parts are", rule)


def first_value(reading):
    """The first element as a Python complex, by the array's indexing or by its contents in complex64; else None."""
    value, _ = attempt(lambda: complex(reading.array[0, 0]))
    if value is None and reading.found is not None and len(reading.found) == 2 * len(reading.expected):
        value = complex(*struct.unpack("=2f", reading.found[:8]))
    return value


def pair(data, part):
    return complex(part(data[:2]), part(data[2:]))


def half(data):
    return struct.unpack("=e", data)[0]


def bfloat(data):
    return struct.unpack("<f", b"\0\0" + bytes(data))[0]
