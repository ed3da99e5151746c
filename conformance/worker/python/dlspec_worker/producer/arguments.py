"""Producers: the arguments of __dlpack__ in unusual forms."""

import enum

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import Export, export, newest_unless_refused, refuse_rest, unless_refused
from dlspec_worker.facts import dlpack
from dlspec_worker.facts.dlpack import HOST, NOBODY, DeviceType
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

# Devices that a host library cannot export to, and the host under another number.
OTHER_HOST = (HOST, 7)
_NEVER_ASSIGNED = (0, 5, 6)
ELSEWHERE = (
    *((kind, 0) for kind in (DeviceType.kDLCUDAHost, DeviceType.kDLCUDAManaged, DeviceType.kDLVPI, *_NEVER_ASSIGNED)),
    OTHER_HOST,
)


@variant("producer", "positional")
def positional(trial):
    """Array API 2021.12, __dlpack__: every edition's signature has a bare * before stream."""
    rule = "python.keyword-only"
    array = trial.library.make(trial.order)
    _plain = unless_refused(trial, export(trial, array))
    _, refusal = attempt(array.__dlpack__, None)
    if refusal is None:
        trial.out.violated(rule, "__dlpack__(None) was accepted", "TypeError: stream is taken by keyword only")
    trial.out.pass_(rule)


@variant("producer", "stream=-2")
def stream_below_range(trial):
    """Array API 2021.12, __dlpack__, stream: integers below -1 are not defined."""
    rule = "stream.range"
    array = trial.library.make(trial.order)
    plain = export(trial, array)
    if plain.refusal:
        refuse_rest(trial, plain)
    elif exporting.is_keyword_unknown(trial, array, "stream"):
        trial.out.not_applicable(rule)
    elif export(trial, array, stream=1).refusal is None:
        trial.out.blocked("by stream.cpu-none: every stream is accepted", rule)
    elif export(trial, array, stream=-2).refusal is None:
        trial.out.violated(rule, "__dlpack__(stream=-2) was accepted", "an exception")
    else:
        trial.out.pass_(rule)


@variant("producer", "dl_device=none")
def device_none(trial):
    """Array API 2023.12, __dlpack__, dl_device: None leaves the data on the array's device."""
    rule = "python.dl-device-none"
    array = trial.library.make(trial.order)
    plain = newest_unless_refused(trial, array)
    made = export(trial, array, dl_device=None, **plain.keywords)
    if made.refusal:
        if not exporting.below_edition(trial, array, "dl_device"):
            trial.out.blocked("by python.kwargs-2023: dl_device=None is refused", rule)
        return
    if made.facts["device"] != plain.facts["device"]:
        observed = f"dl_device=None gave device {made.facts['device']}, no dl_device {plain.facts['device']}"
        trial.out.violated(rule, observed, "the array's device")
    trial.out.pass_(rule)


def own_device(trial, array):
    """(type, id) as plain numbers, or None when __dlpack_device__ answers in another form."""
    answer, _ = attempt(lambda: array.__dlpack_device__())
    numbers, _ = attempt(lambda: (int(getattr(answer[0], "value", answer[0])), int(answer[1])))
    return numbers


def is_spent(trial, array, **keywords):
    """True when a call without a device is refused: a new array is, too, or exporting has changed this one."""
    if Export(trial, array, keywords).refusal is None:
        return False
    new = Export(trial, trial.library.make(trial.order), keywords)
    if new.refusal:
        trial.out.unsupported(f"{new.call} raised {new.refusal.text}", *trial.out.rest())
    else:
        trial.out.blocked("by python.no-effect-on-source: nothing is exported any more", *trial.out.rest())
    return True


def serves_own_device(trial, array):
    """The array's own device, where asking for it gives an export; else answers the rest of the case, and None."""
    own = own_device(trial, array)
    made = None if own is None else export(trial, array, dl_device=array.__dlpack_device__())
    if made is None:
        trial.out.blocked("by python.device-tuple", *trial.out.rest())
    elif made.refusal:
        if not is_spent(trial, array) and not exporting.below_edition(trial, array, "dl_device"):
            trial.out.blocked("by python.dl-device-own: the array's own device is refused", *trial.out.rest())
    elif made.device() != own:
        trial.out.blocked("by python.dl-device-own: the export is elsewhere", *trial.out.rest())
    else:
        return own
    return None


def as_enumerator(device):
    """The device with a member of an IntEnum in the place of its type."""
    kind, number = device
    return enum.IntEnum("DeviceType", {"OWN": kind}).OWN, number


@variant("producer", "dl_device=enum")
def device_as_enum(trial):
    """Array API 2023.12, __dlpack__, dl_device: the form of __dlpack_device__, an enumerator or a number first."""
    rule = "python.dl-device-format"
    array = trial.library.make(trial.order)
    own = serves_own_device(trial, array)
    if own is None:
        return
    for spoken, device in {"an int": own, "an IntEnum": as_enumerator(own)}.items():
        made = None  # some arrays have one export at a time
        made = export(trial, array, dl_device=device)
        if made.refusal and is_spent(trial, array):
            return
        if made.refusal:
            observed = f"dl_device with {spoken} first was refused: {made.refusal.text}"
            trial.out.violated(rule, observed, "any tuple of the form that __dlpack_device__ returns")
    trial.out.pass_(rule)


@variant("producer", "dl_device=elsewhere")
def device_elsewhere(trial):
    """Array API 2023.12, __dlpack__, dl_device: an export lies on the device asked for."""
    rule = "python.dl-device-honoured"
    array = trial.library.make(trial.order)
    own = serves_own_device(trial, array)
    if own is None:
        return
    if export(trial, array, dl_device=NOBODY).refusal is None:
        trial.out.blocked("by python.dl-device-unsupported: device 99 is served", rule)
        return
    for asked in ELSEWHERE:
        made = export(trial, array, dl_device=asked)
        if made.refusal is None and made.device() != asked:
            observed = f"{made.call} gave a tensor on device {tuple(made.facts['device'])}"
            harmless = asked == OTHER_HOST and made.device()[0] == HOST
            allowed = "a tensor on the device asked for, or BufferError"
            trial.out.violated(rule, observed, allowed, "other-host-number" if harmless else None)
    trial.out.pass_(rule)


@variant("producer", "dl_device=malformed")
def device_malformed(trial):
    """Array API 2022.12, __dlpack__, Raises: BufferError is about data; wrong arguments raise something else."""
    rule = "python.other-errors"
    array = trial.library.make(trial.order)
    if serves_own_device(trial, array) is None:
        return
    for wrong in (7, "cpu"):
        made = Export(trial, array, {"dl_device": wrong})
        if made.refusal and made.refusal.is_a(BufferError):
            trial.out.violated(rule, f"{made.call} raised {made.refusal.text}", "another exception, such as TypeError")
        elif made.refusal is None:
            trial.out.info(
                rule, f"{made.call} was accepted", "an exception other than BufferError", "malformed-device-taken"
            )
    trial.out.pass_(rule)


@variant("producer", "max_version=malformed")
def version_malformed(trial):
    """Array API 2023.12, __dlpack__, max_version: a tuple of two integers; NumPy and nanobind raise TypeError."""
    rule = "python.max-version-type"
    array = trial.library.make(trial.order)
    plain = export(trial, array, max_version=dlpack.NEWEST)
    if plain.refusal:
        if not exporting.below_edition(trial, array, "max_version"):
            refuse_rest(trial, plain)
        return
    for wrong in ("1.3", 1, (1,), (1, "3")):
        made = Export(trial, array, {"max_version": wrong})
        if made.refusal is None:
            trial.out.violated(rule, f"{made.call} was accepted", "TypeError")
        elif not made.refusal.is_a(TypeError):
            trial.out.violated(rule, f"{made.call} raised {made.refusal.text}", "TypeError")
    trial.out.pass_(rule)
