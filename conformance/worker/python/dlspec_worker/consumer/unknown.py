"""Consumers: dtypes and devices that nobody has defined or few know, and members that a narrow reader cuts off."""

import types

from dlspec_worker.consumer.dtypes import judge_lanes
from dlspec_worker.consumer.structs import judge_unknown
from dlspec_worker.facts import elements
from dlspec_worker.facts.dlpack import FP8_CODES
from dlspec_worker.imports.importing import Import, unless_refused
from dlspec_worker.imports.reading import Reading, exported
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

ROOM = 64  # bytes for each element: as much as the widest of these would take

CODES = (19, 128, 255)  # that no release defines
# What the tensor has, and its members code and bits.
WIDTHS = (("integers of 12 bits", 0, 12), ("integers of 255 bits", 0, 255), ("floats of 255 bits", 2, 255))
HANDLES = ("handles", 3, 64)
# Codes of one width alone, with another.
IMPOSSIBLE = tuple((f"{name} of 16 bits", code, 16) for name, code in FP8_CODES.items())
# Never assigned, and at the ends of 32 bits; and two whose lowest bits are those of the host.
DEVICES = (0, 6, 0x7FFFFFFF, -1)
CUT = (0x101, 0x10001)


@variant("consumer", "unknown-dtypes")
def unknown_dtypes(trial):
    """dlpack.h 1.0, DLPackVersion: only what the consumer knows how to interpret."""
    for code in CODES:
        judge_unknown(trial, f"dtype code {code}", **_roomy(trial, code, 32))
    _judge_shown(trial, "version.unknown-values-rejected", IMPOSSIBLE)


def _roomy(trial, code, bits):
    """The fields of a tensor of such elements, and more memory than any reading of them needs."""
    contents = bytes(range(1, ROOM + 1)) * (len(trial.order.bytes) // 4)
    return {"dtype": f"uint8x{ROOM}", "contents": contents, "code": code, "bits": bits, "lanes": 1}


@variant("consumer", "odd-widths")
def odd_widths(trial):
    """dlpack.h 1.1, DLDataType: packing is defined below 8 bits, and nothing for odd widths above."""
    _judge_shown(trial, "dtype.odd-width-refused", WIDTHS)


@variant("consumer", "handles")
def handles(trial):
    """dlpack.h 0.4, kDLOpaqueHandle: for parties that agreed on it."""
    _judge_shown(trial, "dtype.opaque-refused", (HANDLES,))


def _judge_shown(trial, rule, dtypes):
    for what, code, bits in dtypes:
        reading = Reading(trial, **_roomy(trial, code, bits))
        made = None if reading.found is None else exported(trial, reading.array)
        if reading.found is None or (made is not None and tuple(made.facts["dtype"]) == (code, bits, 1)):
            continue  # refused, or known for what it is
        if Reading(trial, **_roomy(trial, CODES[0], 32)).found is not None:
            trial.out.blocked("by version.unknown-values-rejected", rule)
            return
        trial.out.violated(rule, f"a tensor of {what} was imported, and its elements are shown", "a refusal")
    trial.out.pass_(rule)


@variant("consumer", "unknown-devices")
def unknown_devices(trial):
    """As unknown_dtypes. __dlpack_device__ names the same device."""
    for kind in DEVICES:
        judge_unknown(trial, f"device type {kind}", device=(kind, 0))
    rule = "abi.device-type-32bit"
    for kind in CUT:
        if Reading(trial, device=(kind, 0)).found is None:
            continue
        if trial.out.is_violated("version.unknown-values-rejected"):
            trial.out.blocked("by version.unknown-values-rejected", rule)
        observed = f"a tensor of device type {kind:#x} was imported, and its elements are shown, as of the host"
        trial.out.violated(rule, observed, "a device type of 32 bits, or a refusal")
    trial.out.pass_(rule)


@variant("consumer", "lanes=2", "lanes=65535")
def more_lanes(trial):
    """dlpack.h 0.1, DLDataType.lanes, at the ends of its range."""
    plain, lanes = trial.order, int(trial.variant.partition("=")[2])
    for count in (2, 3) if lanes == 2 else (lanes,):  # some hardware gives three lanes the room of four
        trial.order = _of_lanes(plain, count)
        for generation in (None, "legacy"):
            judge_lanes(trial, "dtype.lanes-unsupported-rejected", Reading(trial, generation))


@variant("consumer", "lanes=257")
def wide_lanes(trial):
    """dlpack.h 0.1, DLDataType.lanes: 16 bits, of which the lower 8 are those of a scalar here."""
    rule = "abi.dtype-4-bytes"
    plain = trial.order
    for generation in (None, "legacy"):
        trial.order = _of_lanes(plain, 2)
        if Reading(trial, generation).is_wrong:
            trial.out.blocked("by dtype.lanes-unsupported-rejected", rule)
            return
        trial.order = _of_lanes(plain, 257)
        reading = Reading(trial, generation)
        if reading.is_wrong:
            observed = f"vectors of 257 lanes were imported as elements of {len(reading.found) // 2} bytes"
            trial.out.violated(rule, observed, "the vectors' elements, or a refusal")
    trial.out.pass_(rule)


def _of_lanes(order, lanes):
    """Two vectors, of which the largest have 256 KiB."""
    size = elements.bits_of(order.dtype) // 8
    fields = {
        "dtype": f"{order.dtype}x{lanes}",
        "shape": (2,),
        "strides": None,
        "bytes": order.bytes[: 2 * size] * lanes,
    }
    return types.SimpleNamespace(**{**vars(order), **fields})


@variant("consumer", "extent=4294967299")
def long_extent(trial):
    """dlpack.h, DLTensor.shape: int64_t on every platform. A tensor without elements may have any other extents."""
    rule, extent = "abi.shape-int64", int(trial.variant.partition("=")[2])
    fields = {"shape": (extent, 0), "strides": (1, 1), "contents": b"", "byte_offset": 0}
    done = unless_refused(trial, Import(trial, Source(trial, **fields)))
    told = _shape(trial, done.array)
    if told is None:
        trial.out.unsupported("neither an attribute nor an export tells the shape of the import", rule)
    elif told[:1] == (extent & 0xFFFFFFFF,):
        trial.out.violated(rule, f"shape ({extent}, 0) was imported as {told}", "extents of 64 bits, or a refusal")
    trial.out.pass_(rule)


def _shape(trial, array):
    made = exported(trial, array)
    if made is not None and made.facts["shape"] is not None:
        return made.facts["shape"]
    shape, _ = attempt(lambda: tuple(int(extent) for extent in array.shape))
    return shape


@variant("consumer", "shape")
def axes(trial):
    """dlpack.h 0.3, DLTensor.strides: axis 0 is the outermost. Told by an export: names of attributes are a choice."""
    rule, shape = "tensor.row-major-dims", trial.order.shape
    done = unless_refused(trial, Import(trial, Source(trial)))
    made = exported(trial, done.array)
    if made is None:
        trial.out.unsupported("the imported array exports nothing to tell its axes by", rule)
    elif made.facts["shape"] == shape[::-1] != shape:
        observed = f"a tensor of shape {shape} was imported, and is exported again with shape {made.facts['shape']}"
        trial.out.violated(rule, observed, "axis 0 first; a column-major array told by its strides")
    trial.out.pass_(rule)
