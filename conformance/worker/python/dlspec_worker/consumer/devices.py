"""Consumers: tensors on devices that a host library cannot read."""

from dlspec_worker.facts.dlpack import NOBODY, DeviceType
from dlspec_worker.imports.importing import Import, judge_refusal_releases, refused, unless_refused
from dlspec_worker.imports.reading import Reading, exported, takes_everything
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant


@variant("consumer", "device=extension")
def extension(trial):
    """dlpack.h 0.3, kDLExtDev: "reserved extension device type"; its data means nothing without an agreement."""
    rule = "device.extdev-private"
    reading = Reading(trial, device=(DeviceType.kDLExtDev, 0))
    if reading.is_refused:
        trial.out.pass_(rule)
    elif Reading(trial, device=NOBODY).refusal is None:
        trial.out.blocked("by version.unknown-values-rejected", rule)
    elif Reading(trial, device=(DeviceType.kDLOpenCL, 0)).found is not None:
        trial.out.blocked("by device.opaque-no-arithmetic", rule)
    elif reading.found is None:
        observed = f"a tensor of kDLExtDev was imported; reading it is refused: {reading.reason}"
        trial.out.info(rule, observed, "a refusal", "held-unread")
    else:
        observed = "a tensor of kDLExtDev was imported, and its elements are shown"
        trial.out.violated(rule, observed, "a refusal without an agreement")


@variant("consumer", "device=handle")
def handle(trial):
    """dlpack.h 0.7, DLTensor.data: a handle for OpenCL, Vulkan and similar devices, to which no offset can be added."""
    rule = "device.opaque-no-arithmetic"
    silent = False
    for name in ("OpenCL", "Vulkan", "Metal", "WebGPU"):
        kind = getattr(DeviceType, f"kDL{name}")
        reading = Reading(trial, device=(kind, 0))
        if reading.is_refused:
            continue
        if reading.found is not None and takes_everything(trial):
            trial.out.blocked("by version.unknown-values-rejected", rule)
        elif reading.found is not None:
            observed = f"elements are shown of a tensor whose data is a handle of {name}"
            trial.out.violated(rule, observed, "a handle that is neither dereferenced nor added to")
        else:
            silent = not _judge_handle(trial, rule, name, reading) or silent
    if silent:
        trial.out.unsupported("the tensor is held; neither its elements nor an export of it can be seen", rule)
    trial.out.pass_(rule)


def _judge_handle(trial, rule, name, reading):
    """False when the import shows nothing of the handle."""
    made = exported(trial, reading.array)
    if made is None:
        return False
    if made.facts["data"] not in [offer.data_address for offer in reading.source.offers]:
        observed = f"a handle of {name} is exported again as another one, at byte_offset {made.facts['byte_offset']}"
        trial.out.violated(rule, observed, "the same handle, and the same byte_offset")
    return True


@variant("consumer", "device=foreign")
def foreign(trial):
    """Python specification, Semantics: importing from a device that is not supported raises BufferError."""
    rule = "device.unsupported-buffererror"
    _plain = unless_refused(trial, Import(trial, Source(trial)))
    for name in FOREIGN:
        kind = getattr(DeviceType, name)
        source = Source(trial, device=(kind, 0))
        done = Import(trial, source)
        if done.refusal is None:
            _judge_taken(trial, rule, name, done)
        elif done.refusal.is_a(NotImplementedError):
            refused(trial, done)  # the adapter says that the library has no such devices
        elif not done.refusal.is_a(BufferError):
            observed = f"a tensor on {name}: {done.refusal.text}"
            trial.out.violated(rule, observed, "BufferError", _milder(trial, done.refusal))
        if done.refusal is not None and not trial.out.is_violated("managed.error-releases"):
            judge_refusal_releases(trial, source)
    trial.out.pass_(rule)


# Memory of these is read by their drivers alone.
FOREIGN = ("kDLHexagon", "kDLVPI", "kDLROCM", "kDLVulkan", "kDLMetal", "kDLWebGPU")


def _judge_taken(trial, rule, name, done):
    """A library may hold what it cannot read; to show its elements is to take it for memory of the host."""
    if trial.library.imported_contents(done.array)[0] == trial.order.bytes and not takes_everything(trial):
        observed = f"a tensor on {name} was imported, and its elements are shown, as of the host"
        trial.out.wrong_value(rule, observed, "BufferError")
    trial.out.not_applicable("managed.error-releases")


def _milder(trial, refusal):
    # Array API 2021.12 recommended TypeError, and knew no keywords of from_dlpack.
    older = refusal.is_a(TypeError) and Import(trial, Source(trial), device=None, copy=None).refusal is not None
    return "older-device-error" if older else None
