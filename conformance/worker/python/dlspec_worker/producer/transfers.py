"""Producers: arrays of another device, asked for as memory of the host."""

from dlspec_worker.exports import exporting, judging
from dlspec_worker.exports.exporting import export, newest_export
from dlspec_worker.facts.dlpack import CPU, IS_COPIED, NEWEST_FIRST, DeviceType
from dlspec_worker.subject import elsewhere
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant
from dlspec_worker.trial.waiting import settle

COPIED = "flags.is-copied-on-device-transfer"

# Memory that the host reads as well; CuPy answers with it where the array is in managed memory.
READABLE = {DeviceType.kDLCPU, DeviceType.kDLCUDAHost, DeviceType.kDLROCMHost, DeviceType.kDLCUDAManaged}


@variant("producer", "device-to-host")
def to_host(trial):
    """Array API 2023.12, __dlpack__, dl_device: data of a device can be had as memory that the interpreter reads."""
    for device, array in elsewhere.arrays(trial):
        own = newest_export(trial, array)
        if own.refusal is None and own.device() == CPU:
            raise Unsupported(f"the array that make() gave for device {device} is exported from the host")
        for others in NEWEST_FIRST:
            made = export(trial, array, dl_device=CPU, **others)
            if made.refusal and exporting.below_edition(trial, array, "dl_device"):
                return
            if made.refusal is None:
                judge_transfer(trial, device, own, made)
            elif not (others and exporting.is_keyword_unknown(trial, array, "max_version")):
                observed = f"{made.call} of an array on device {device} raised {made.refusal.text}"
                trial.out.violated("python.dl-device-cpu", observed, "an export in host memory")
    if trial.out.is_violated("python.dl-device-cpu"):
        trial.out.not_applicable(*trial.out.rest())
    trial.out.not_applicable(COPIED)  # nothing was copied, or in no struct that could say so
    trial.out.pass_(*trial.out.rest())


def judge_transfer(trial, device, own, made, finish=lambda: None):
    """`finish`: lets the work end that nobody has waited for."""
    if made.device() is None:
        trial.out.blocked("by the struct, which cannot be followed", *trial.out.rest())
    elif made.device()[0] not in READABLE:
        observed = f"{made.call} of an array on device {device} gave a tensor on device {made.device()}"
        trial.out.violated("python.dl-device-honoured", observed, "a tensor on the device asked for, or BufferError")
        trial.out.blocked("by python.dl-device-honoured", *trial.out.rest())
    elif _is_complete(trial, device, made, finish):
        _judge_flag(trial, device, own, made)


def _is_complete(trial, device, made, finish):
    """Array API 2023.12, __dlpack__, stream: an export to the host is complete when __dlpack__ returns."""
    read = _reader(trial, made)
    first, misfit = read()
    if misfit or first == trial.order.bytes:
        if misfit:
            trial.out.blocked(f"dlspec cannot read the export ({misfit})", *trial.out.rest())
        return not misfit
    finish()
    if settle(lambda: read() == (trial.order.bytes, None)):
        observed = f"{made.call} of an array on device {device} showed its elements some time after it had returned"
        trial.out.violated("stream.dl-device-cpu", observed, "data that is complete when __dlpack__ returns")
        return True
    observed = f"{made.call} of an array on device {device} shows other elements than the array"
    trial.out.wrong_value("tensor.element-address", observed, "the elements of the array")
    trial.out.blocked("by tensor.element-address", *trial.out.rest())
    return False


def _reader(trial, made):
    def read():
        if not judging.is_readable(trial, made):
            return None, "the struct cannot be followed"
        found, misfit = attempt(trial.native.contents, made.capsule)
        return found, misfit and misfit.text

    return read


def _judge_flag(trial, device, own, made):
    """Array API 2023.12, __dlpack__, copy: whatever is copied says so. Memory that both can use may be shared."""
    if made.generation != "versioned" or own.refusal or own.first_element() == made.first_element():
        return  # nothing shows that it was copied
    if made.is_flagged(IS_COPIED):
        trial.out.pass_(COPIED)
        return
    observed = f"{made.call} of an array on device {device} lies elsewhere than the array, and IS_COPIED is clear"
    trial.out.violated(COPIED, observed, "IS_COPIED, as for any copy")
