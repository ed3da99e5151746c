"""Consumers: arrays of another device, asked for on the host."""

from dlspec_worker.exports.devices import device_numbers
from dlspec_worker.exports.exporting import Export
from dlspec_worker.exports.judging import is_readable
from dlspec_worker.facts.dlpack import CPU, NEWEST, DeviceType
from dlspec_worker.subject import elsewhere
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

NO_HOST = "python.from-dlpack-device-unsupported"
HOST_NAMES = ("cpu", CPU)  # libraries name the host by a word, or as __dlpack_device__ does


@variant("consumer", "device-to-host")
def to_host(trial):
    """Array API 2023.12, from_dlpack, device: given the host, there is a way to an array that can be read there."""
    rule = "python.from-dlpack-device-cpu"
    for device, array in elsewhere.arrays(trial):
        _, refusal = trial.library.from_dlpack(array, device=None, copy=None)
        if refusal and refusal.is_a(TypeError):
            trial.out.not_applicable(*trial.out.rest())  # it reaches edition 2021.12
            return
        if refusal:
            trial.out.unsupported(f"the library does not import its own array: {refusal.text}", *trial.out.rest())
            return
        _judge(trial, device, array)
    trial.out.pass_(rule, *trial.out.rest())


def _judge(trial, device, array):
    seen = []
    for name in HOST_NAMES:
        imported, refusal = trial.library.from_dlpack(array, device=name)
        found = None if refusal else _held_on_host(trial, imported)
        if found == trial.order.bytes:
            return
        if found is not None:
            observed = f"from device {device}, device={name!r} gave an array with other elements"
            trial.out.wrong_value("tensor.element-address", observed, "the elements of the array")
            return
        seen.append(f"device={name!r} {f'raised {refusal.text}' if refusal else 'gave an array that is not there'}")
    observed = f"from device {device}: {'; '.join(seen)}"
    trial.out.violated("python.from-dlpack-device-cpu", observed, "an array in memory that the interpreter can read")


@variant("consumer", "cuda-to-host")
def from_cuda(trial):
    """The same of the library's own array on a GPU. A library without arrays on the host raises BufferError."""
    array = trial.library.make(trial.order)
    _, refusal = trial.library.from_dlpack(array, device=None, copy=None)
    if refusal and refusal.is_a(TypeError):
        trial.out.not_applicable(*trial.out.rest())  # it reaches edition 2021.12
    elif refusal:
        trial.out.unsupported(f"the library does not import its own array: {refusal.text}", *trial.out.rest())
    elif any(device[0] == DeviceType.kDLCPU for device in trial.library.devices):
        trial.out.not_applicable(NO_HOST)
        _judge(trial, trial.order.device, array)
    else:
        _judge_without_host(trial, array)
    trial.out.pass_(*trial.out.rest())


def _judge_without_host(trial, array):
    given = [trial.library.from_dlpack(array, device=name) for name in HOST_NAMES]
    found = [_held_on_host(trial, imported) for imported, refusal in given if refusal is None]
    if trial.order.bytes in found:
        return
    trial.out.not_applicable("python.from-dlpack-device-cpu", "tensor.element-address")
    refusals = [refusal for _, refusal in given if refusal]
    if len(refusals) < len(given):
        observed = "a library without arrays on the host gave an array that is not there"
        trial.out.violated(NO_HOST, observed, "BufferError")
    elif not any(refusal.is_a(BufferError) for refusal in refusals):
        observed = f"device='cpu' raised {refusals[0].text}, and device=(1, 0) {refusals[1].text}"
        trial.out.violated(NO_HOST, observed, "BufferError")


def _held_on_host(trial, imported):
    """The elements, read from the memory that an array exports; None where that is not on the host."""
    where, refusal = attempt(lambda: imported.__dlpack_device__())
    numbers = None if refusal else device_numbers(where)
    if numbers is None or numbers[0] != DeviceType.kDLCPU:
        return None
    for keywords in ({"max_version": NEWEST}, {}):
        made = Export(trial, imported, keywords)
        if made.generation and is_readable(trial, made):
            return attempt(trial.native.contents, made.capsule)[0]
    return None
