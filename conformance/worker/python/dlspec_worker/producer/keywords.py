"""Producers: __dlpack_device__ and the keywords of __dlpack__."""

import itertools
import sys

from dlspec_worker.exchange_api import tables
from dlspec_worker.exports import exporting, judging
from dlspec_worker.exports.devices import device_numbers
from dlspec_worker.exports.exporting import Export, export, refuse_rest, unless_refused
from dlspec_worker.facts import dlpack
from dlspec_worker.facts.dlpack import HOST, NEWEST_FIRST, NOBODY, DeviceType
from dlspec_worker.producer.arguments import as_enumerator, is_spent
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

KEYWORDS_2023 = ("stream", "max_version", "dl_device", "copy")

# Rules that are reported for a device in the struct that no array has.
STRUCT_DEVICE = {"device.type-known", "abi.device-type-32bit", "device.id-nonnegative", "device.id-zero-host"}


@variant("producer", "device")
def device(trial):
    """Array API 2021.12, __dlpack_device__."""
    array = trial.library.make(trial.order)
    if not _judge_methods(trial, array):
        return
    answer, refusal = attempt(array.__dlpack_device__)
    if refusal:
        trial.out.unsupported(f"__dlpack_device__() raised {refusal.text}", *trial.out.rest())
        return
    if not _judge_tuple(trial, answer):
        trial.out.blocked("by python.device-tuple", *trial.out.rest())
        return
    _judge_cheap(trial, array, answer)
    _judge_same_device(trial, array, answer)


def _judge_methods(trial, array):
    # Python specification, Syntax: an exporting object has both methods.
    missing = [name for name in ("__dlpack__", "__dlpack_device__") if not callable(getattr(array, name, None))]
    if missing and tables.published(trial.native, array):
        trial.out.blocked("by exchange.dunder-also-offered", *trial.out.rest())
        return False
    if missing:
        observed = f"the array has no method {' and no '.join(missing)}"
        trial.out.violated("python.methods-present", observed, "both __dlpack__ and __dlpack_device__")
        trial.out.blocked("by python.methods-present", *trial.out.rest())
        return False
    trial.out.pass_("python.methods-present")
    return True


def _judge_tuple(trial, answer):
    numbers = device_numbers(answer)
    if numbers is None:
        observed = f"__dlpack_device__() returned {exporting_text(answer)}"
        allowed = "a tuple (device_type, device_id), the type an int or an Enum of ints, the id an int"
        trial.out.violated("python.device-tuple", observed, allowed)
        return False
    trial.out.pass_("python.device-tuple")
    kind, value = answer[0], numbers[0]
    # Consumers compare the first item with ==, and look it up in tables keyed by int.
    if kind == value and attempt(hash, kind)[0] == hash(value):
        trial.out.pass_("python.device-tuple-int")
    else:
        observed = f"the device type is a {type(kind).__name__} that does not equal its number"
        trial.out.violated("python.device-tuple-int", observed, "an int or an IntEnum")
    return True


def exporting_text(answer):
    """A malformed answer by its types, because its repr may hold an address."""
    if isinstance(answer, tuple):
        return f"({', '.join(type(item).__name__ for item in answer)})"
    return f"an object of type {type(answer).__name__}"


def _judge_cheap(trial, array, answer):
    rule, calls = "python.device-cheap", 16
    altered = _is_altered(trial, array)
    references = sys.getrefcount(array)
    again = [attempt(array.__dlpack_device__)[0] for _ in range(calls)]
    altered, left = altered or _is_altered(trial, array), sys.getrefcount(array) - references
    # This rule is not about the effects of an export or a release: these come after all comparisons.
    before = _exports(trial, array)
    attempt(array.__dlpack_device__)
    if any(other != answer for other in again):
        trial.out.violated(rule, "repeated calls give different answers", "the same answer every time")
    elif altered:
        trial.out.wrong_value(rule, "after the call the array holds other elements", "a call without effects")
    elif left >= calls:
        trial.out.wrong_value(rule, f"{calls} calls left as many references to the array", "a call without effects")
    elif len(_places(before)) == 1 and _places(_exports(trial, array)) - _places(before):
        trial.out.violated(rule, "after the calls the array is exported from another place", "a call without effects")
    trial.out.pass_(rule)


def _is_altered(trial, array):
    held = trial.library.contents_or_none(array)
    return held is not None and held != trial.order.bytes


def _exports(trial, array):
    return [Export(trial, array, {"max_version": dlpack.NEWEST}) for _ in range(2)]


def _places(exports):
    """Where two exports find element 0; more than one address where each is a copy."""
    return {each.first_element() for each in exports if each.generation}


def _judge_same_device(trial, array, answer):
    rule = "python.device-tuple-matches-capsule"
    made = exporting.newest_export(trial, array)
    if made.refusal:
        refuse_rest(trial, made)
        return
    said, exported = device_numbers(answer), made.device()
    if exported is None:
        trial.out.blocked("by the struct, which cannot be followed", rule)
        return
    unknown = _unknown_device(trial, made)
    if said != exported and unknown:
        trial.out.blocked(f"by {unknown}", rule)
        return
    if said == exported:
        trial.out.pass_(rule)
        return
    harmless = said[0] == DeviceType.kDLCUDAHost and exported[0] == HOST
    observed = f"__dlpack_device__() says {said}, the capsule {exported}"
    trial.out.violated(rule, observed, "one device", "pinned-as-host" if harmless else None)


def _unknown_device(trial, made):
    """The rule that is reported for the device in the struct, or None."""
    found = {each["rule"] for each in trial.native.validate(made.capsule) if each["verdict"] in ("fail", "warn")}
    return next(iter(sorted(found & STRUCT_DEVICE)), None)


@variant("producer", "keywords=none")
def all_none(trial):
    """Array API 2023.12, __dlpack__: four keywords, each may be None."""
    rule = "python.kwargs-2023"
    array = trial.library.make(trial.order)
    made = export(trial, array, **dict.fromkeys(KEYWORDS_2023))
    if made.refusal is None:
        trial.out.pass_(rule)
        return
    _plain = unless_refused(trial, export(trial, array))
    taken = [name for name in KEYWORDS_2023 if export(trial, array, **{name: None}).refusal is None]
    if taken == [name for name in KEYWORDS_2023 if name != "stream"]:
        trial.out.blocked("by stream.cpu-none", rule)  # stream is older than the edition in question
        return
    observed = f"{made.refusal.text}; it takes {', '.join(taken) or 'no keyword'}: edition 2021.12 is reached"
    trial.out.violated(rule, observed, "stream, max_version, dl_device and copy, also as None")


@variant("producer", "unknown-keyword")
def unknown_keyword(trial):
    """Array API 2023.12, __dlpack__, Notes: consumers learn from TypeError which keywords an exporter lacks."""
    rule = "python.unknown-kwarg-typeerror"
    array = trial.library.make(trial.order)
    made = exporting.Export(trial, array, {"dlspec_keyword": None})
    beside = ({}, {"copy": True}, {"copy": False}, {"max_version": dlpack.NEWEST}, {"dl_device": dlpack.CPU})
    asked = ({**others, "dlspec_keyword": None} for others in beside)
    taken = next((each for each in asked if exporting.Export(trial, array, each).refusal is None), None)
    if taken is not None:
        shown = ", ".join(f"{name}={value}" for name, value in taken.items())
        observed = f"a keyword that does not exist was accepted: __dlpack__({shown})"
        harmless = "further-keywords" if _honours_keywords(trial, array) else None
        trial.out.violated(rule, observed, "TypeError", harmless)
    elif made.refusal.is_a(TypeError):
        trial.out.pass_(rule)
    elif export(trial, array).refusal:
        refuse_rest(trial, made)
    else:
        trial.out.violated(rule, made.refusal.text, "TypeError")


def _honours_keywords(trial, array):
    """True when copy=True and max_version of one call have their effect, or are refused: nobody has to retry."""
    made = export(trial, array, copy=True, max_version=dlpack.NEWEST)
    return made.refusal.is_a(BufferError) if made.refusal else made.is_flagged(dlpack.IS_COPIED)


@variant("producer", "stream=none")
def stream_none(trial):
    """Array API 2021.12, __dlpack__, stream: devices without streams accept None."""
    array = trial.library.make(trial.order)
    made = export(trial, array, stream=None)
    if made.refusal is None:
        trial.out.pass_("stream.cpu-none")
    elif export(trial, array).refusal:
        refuse_rest(trial, made)
    else:
        missing = "stream-keyword-missing" if made.refusal.is_a(TypeError) else None
        trial.out.violated("stream.cpu-none", f"{made.call} raised {made.refusal.text}", "stream=None", missing)


@variant("producer", "stream=1", "stream=-1")
def stream_given(trial):
    """Array API 2021.12, __dlpack__, stream: devices without streams accept only None."""
    array = trial.library.make(trial.order)
    stream = int(trial.variant.split("=")[1])
    if exporting.is_keyword_unknown(trial, array, "stream"):
        trial.out.not_applicable("stream.cpu-none")
        return
    milder = "stream-minus-one" if stream == -1 else None
    streams = (1, 0, 2) if stream == 1 else (stream,)  # values that a check like `if stream` lets through
    for given, others in itertools.product(streams, (*reversed(NEWEST_FIRST), *_copy_requests(trial, array))):
        made = export(trial, array, stream=given, **others)
        if made.refusal is None:
            observed = f"{made.call} exported host memory"
            trial.out.violated("stream.cpu-none", observed, "an exception: host memory has no stream", milder)
    trial.out.pass_("stream.cpu-none")


@variant("producer", "dl_device=own")
def own_device(trial):
    """Array API 2023.12, __dlpack__, dl_device: the array's own device is the same as None."""
    rule = "python.dl-device-own"
    array = trial.library.make(trial.order)
    own, refusal = attempt(lambda: array.__dlpack_device__())
    if refusal:
        trial.out.blocked(f"__dlpack_device__() raised {refusal.text}", rule)
        return
    if device_numbers(own) is None:
        trial.out.blocked("by python.device-tuple", rule)
        return
    for others in reversed(NEWEST_FIRST):
        plain, made = export(trial, array, **others), export(trial, array, dl_device=own, **others)
        if plain.refusal:
            continue  # refused without dl_device, so that nothing is learnt with it
        if made.refusal is None:
            judge_own_device(trial, array, plain, made, own)
        elif is_spent(trial, array, **others) or exporting.below_edition(trial, array, "dl_device"):
            return
        else:
            trial.out.violated(rule, f"asked for the array's own device: {made.refusal.text}", "an export")
    if plain.refusal:
        trial.out.unsupported(f"{plain.call} raised {plain.refusal.text}", rule)
    else:
        # An enumerator is the same device as its number.
        made = export(trial, array, dl_device=as_enumerator(own), **plain.keywords)
        if made.refusal is None:
            judge_own_device(trial, array, plain, made, own)
    trial.out.pass_(rule)


def judge_own_device(trial, array, plain, made, own):
    rule = "python.dl-device-own"
    exported, usual = made.device(), plain.device()
    if exported is None:
        trial.out.blocked("by the struct, which cannot be followed", rule)
    elif exported != device_numbers(own):
        # An export that moved the array shows in those after it, and in none of a new array.
        fresh = Export(trial, trial.library.make(trial.order), plain.keywords)
        if exported == usual == fresh.device():
            trial.out.blocked("by python.device-tuple-matches-capsule", rule)
        else:
            trial.out.violated(rule, f"the export is on device {exported}", "the device that was asked for")
    elif plain.first_element() != made.first_element() and judging.is_readable(trial, made):
        # All these exports are alive: different addresses are different memory, so one is a copy.
        again = Export(trial, array, plain.keywords)
        if again.generation and again.first_element() == plain.first_element():
            trial.out.violated(rule, "the export was copied", "the array's memory, as without dl_device")


@variant("producer", "dl_device=99")
def foreign_device(trial):
    """Array API 2023.12, __dlpack__, dl_device: BufferError where the export cannot be made."""
    rule = "python.dl-device-unsupported"
    array = trial.library.make(trial.order)
    for others in ({}, {"max_version": dlpack.NEWEST}, *_copy_requests(trial, array)):
        made = export(trial, array, dl_device=NOBODY, **others)
        if made.refusal is None:
            observed = f"{made.call} gave an export on device {made.device()}"
            trial.out.violated(rule, observed, "BufferError")
        elif exporting.below_edition(trial, array, "dl_device"):
            return
        elif not (made.refusal.is_a(TypeError) and exporting.is_keyword_unknown(trial, array, "max_version")):
            _judge_real_device(trial, array, others=made.keywords)
    trial.out.pass_(rule)


def _copy_requests(trial, array):
    """What an export takes in addition: a copy may be made on another way, which looks at the device or not."""
    for copy in (True, False):
        keywords = {"max_version": dlpack.NEWEST, "copy": copy}
        if Export(trial, array, keywords).refusal is None:
            yield keywords


def _judge_real_device(trial, array, others):
    # An undefined device type may count as a bad argument; a defined one does not.
    real = export(trial, array, **{**others, "dl_device": (DeviceType.kDLROCM, 0)})
    if real.refusal and not real.refusal.is_a(BufferError):
        observed = f"{real.call} raised {real.refusal.text}"
        trial.out.violated("python.dl-device-unsupported", observed, "BufferError")
