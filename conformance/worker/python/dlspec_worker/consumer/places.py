"""Consumers: where elements lie, and what happens when they are written there."""

import ctypes
import math
import mmap
import struct

from dlspec_worker.facts import elements
from dlspec_worker.facts.wording import of_bytes
from dlspec_worker.imports import writers
from dlspec_worker.imports.importing import refused
from dlspec_worker.imports.reading import Reading
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant


@variant("consumer", "misaligned")
def misaligned(trial):
    """dlpack.h 0.7, DLTensor.data: the alignment that the text promises cannot be relied on."""
    rule = "tensor.data-alignment-not-assumed"
    distances = sorted({64, _item(trial), max(1, _item(trial) // 2), 1}, reverse=True)
    _judge_places(trial, rule, [{"misaligned": distance} for distance in distances], ())
    # Both at once, where neither does any harm.
    far, both = ({**place, "byte_offset": 4160} for place in ({}, {"misaligned": _item(trial)}))
    if trial.out.is_passed(rule) and not Reading(trial, **far).is_wrong and Reading(trial, **both).is_wrong:
        observed = f"with {_text(both)} and a byte_offset other elements"
        trial.out.wrong_value(rule, observed, "the elements that the struct leads to, or a refusal")


@variant("consumer", "byte_offset=odd")
def byte_offset(trial):
    """dlpack.h 0.1, DLTensor.byte_offset: a number of bytes that need not be a multiple of anything."""
    item = _item(trial)
    others = (
        ({"misaligned": 1}, "tensor.data-alignment-not-assumed"),
        ({"byte_offset": item}, "tensor.byte-offset-honoured"),
    )
    places = ({"byte_offset": 1}, {"byte_offset": item // 2}, {"byte_offset": item + 1})
    _judge_places(trial, "tensor.byte-offset-unaligned", places, others)


@variant("consumer", "byte_offset=far", "byte_offset=legacy")
def far_offset(trial):
    """dlpack.h 0.1, DLTensor.byte_offset: it is added to data, whatever the dtype, the layout and the generation."""
    fields = {"generation": "legacy"} if trial.variant.endswith("legacy") else {}
    plain = Reading(trial, **fields)
    places = [{"byte_offset": distance, **fields} for distance in (48, 256, 69632)]  # the last one takes 17 bits
    _judge_places(trial, "tensor.byte-offset-honoured", places, (), plain)


_MAP_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0)


@variant("consumer", "byte_offset=4294967360")
def offset_of_33_bits(trial):
    """dlpack.h 0.1, DLTensor.byte_offset: 64 bits on every platform."""
    rule, distance = "tensor.byte-offset-honoured", int(trial.variant.partition("=")[2])
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE  # pages that nobody touches take no memory
    memory, misfit = attempt(mmap.mmap, -1, distance + (1 << 16), flags=private)
    if misfit:
        trial.out.unsupported(f"no address space for such an offset: {misfit.text}", rule)
        return
    start, item = ctypes.addressof(ctypes.c_char.from_buffer(memory)), _item(trial)
    strides = trial.order.strides or elements.row_major(trial.order.shape)
    for number, place in enumerate(elements.places(trial.order.shape, strides)):
        first = distance + place * item
        memory[first : first + item] = trial.order.bytes[number * item : (number + 1) * item]
    _judge_places(trial, rule, [{"data": start, "byte_offset": distance}], ())


@variant("consumer", "byte_offset=scalar", "byte_offset=null-strides")
def bare_offset(trial):
    """As far_offset, of a tensor of rank 0 without shape and strides, and of one whose strides are NULL."""
    rule, null_strides = "tensor.byte-offset-honoured", "tensor.strides-null-means-rowmajor"
    first = trial.order.bytes[: _item(trial)]
    fields = {"shape": (), "strides": None, "null_shape": True, "contents": first, "expected": first}
    if trial.variant.endswith("strides"):
        fields = {"strides": None}
    readings = []
    for generation in ({"generation": "versioned", "version": (1, 0)}, {"generation": "legacy"}):
        if Reading(trial, **fields, **generation, byte_offset=0).is_wrong:
            trial.out.blocked("by the elements of such a tensor with a byte_offset of 0", rule, null_strides)
            return
        readings.append(Reading(trial, **fields, **generation, byte_offset=4164))
    if any(reading.is_wrong for reading in readings):
        trial.out.wrong_value(rule, "with a byte_offset of 4164 other elements", "the elements, or a refusal")
        trial.out.blocked(f"by {rule}", null_strides)
    elif any(reading.is_right for reading in readings):
        trial.out.pass_(rule, null_strides)
    elif any(reading.found is None and not reading.is_refused for reading in readings):
        trial.out.unsupported("reading the import is refused", rule, null_strides)
    refused(trial, readings[0])


def _item(trial):
    return len(trial.order.bytes) // math.prod(trial.order.shape)


def _judge_places(trial, rule, places, others, plain=None):
    """Elements at these places are right or refused. `others`: wrong places that another rule is reported for.

    `plain`: the reading of the ordinary tensor, where it has been made already.
    """
    _answer_unreadable(trial, rule, plain or Reading(trial))
    for place, masking in others:
        if Reading(trial, **place).is_wrong:
            trial.out.blocked(f"by {masking}", rule)
    if trial.out.answered(rule):
        return
    for place in places:
        reading = Reading(trial, **place)
        if reading.is_wrong:
            # The distance is left out, so that all dtypes give the same finding.
            shown = "" if rule == "tensor.byte-offset-honoured" else f": {of_bytes(reading.found, trial.order.bytes)}"
            trial.out.wrong_value(
                rule,
                f"with {_text(place)} other elements{shown}",
                "the elements that the struct leads to, or a refusal",
            )
    trial.out.pass_(rule)


def _answer_unreadable(trial, rule, reading):
    """Answers the rule where the ordinary tensor is refused, or shows no or other elements."""
    if reading.is_refused:
        refused(trial, reading)
    elif reading.found is None:
        trial.out.unsupported(reading.reason, rule)
    elif reading.is_wrong:
        trial.out.blocked("by the elements of every import", rule)


def _text(place):
    if "misaligned" in place:
        return f"data {place['misaligned']} bytes from a multiple of 256"
    return f"a byte_offset of {place['byte_offset']}"


@variant("consumer", "overlap-write")
def overlap_write(trial):
    """dlpack.h 0.3, DLTensor.strides: several indices may name one element, and two imports may share elements."""
    rule = "tensor.overlap-write-guard"
    if 0 not in (trial.order.strides or ()) and not elements.overlaps(trial.order):
        for onto in ("later", "earlier"):
            _judge_onto_itself(trial, rule, onto)
    else:
        _judge_shared_places(trial, rule)
    trial.out.pass_(rule)


def _imported(trial, rule):
    """(source, array) of an import that shows the right elements, or None."""
    reading = Reading(trial)
    _answer_unreadable(trial, rule, reading)
    return None if trial.out.answered(rule) else (reading.source, reading.array)


def _judge_shared_places(trial, rule):
    taken = _imported(trial, rule)
    if taken is None:
        return
    source, array = taken
    count = math.prod(trial.order.shape)
    items = [struct.pack("=f", 1000.5 + place) for place in range(count)]
    was_refused = trial.library.write(array, b"".join(items)) is not None
    (offer,) = source.offers
    problem = _wrong_place(trial, offer, items, was_refused)
    if problem and not writers.follows_strides(trial):
        trial.out.unsupported(f"{problem}; write() could not be tried on an ordinary strided import", rule)
    elif problem:
        allowed = "a refusal, or in each place one of the elements that were written to it"
        trial.out.violated(rule, problem, allowed)


def _wrong_place(trial, offer, items, was_refused):
    """What is wrong with the memory after `items` were written into it; None when nothing is."""
    if not offer.memory_intact():
        return "bytes beside the elements were written to"
    now = offer.contents()
    if was_refused or now == trial.order.bytes:
        return None  # refused, or written into a copy
    held = [now[4 * place : 4 * place + 4] for place in range(len(items))]
    for place, index in enumerate(_places(trial)):
        if held[place] not in [items[other] for other, same in enumerate(_places(trial)) if same == index]:
            return f"element {place} holds nothing that was written to it"
    return None


def _places(trial):
    """The offset of each element, in C order."""
    return list(elements.places(trial.order.shape, trial.order.strides))


def _judge_onto_itself(trial, rule, onto):
    """A part of the import written onto a part that begins one element later or earlier."""
    taken = _imported(trial, rule)
    if taken is None:
        return
    source, array = taken
    parts = (slice(None, -1), slice(1, None))
    what, where = parts if onto == "later" else parts[::-1]
    view, misfit = attempt(lambda: array[what])
    if misfit or not hasattr(type(array), "__setitem__"):
        trial.out.unsupported("the import has no slices that can be written", rule)
        return
    before, item = trial.order.bytes, len(trial.order.bytes) // trial.order.shape[0]
    shown, _ = trial.library.imported_contents(view)
    whole = attempt(len, array)[0] in (None, trial.order.shape[0])
    if not whole or shown not in (None, before[:-item] if onto == "later" else before[item:]):
        trial.out.unsupported("a slice of the import shows no slice of its elements", rule)
        return
    if attempt(array.__setitem__, where, view)[1]:
        return
    right = before[:item] + before[:-item] if onto == "later" else before[item:] + before[-item:]
    allowed = "the elements as they were before, or a refusal"
    (offer,) = source.offers
    if not offer.memory_intact():
        trial.out.violated(rule, "bytes beside the elements were written to", allowed)
    elif offer.contents() not in (right, before):
        observed = f"written one element {onto} over itself: {of_bytes(offer.contents(), right)}"
        is_alike = _is_own_alike(trial, what, where, (right, before))
        trial.out.violated(rule, observed, allowed, "own-arrays-alike" if is_alike else None)


def _is_own_alike(trial, what, where, right):
    """True where the same part of an array that the library made goes wrong, too."""
    own, misfit = attempt(trial.library.make, trial.order)
    if misfit or attempt(lambda: own.__setitem__(where, own[what]))[1]:
        return False
    shown = trial.library.contents_or_none(own)
    return shown is not None and shown not in right
