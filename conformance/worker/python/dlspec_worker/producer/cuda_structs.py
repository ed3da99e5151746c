"""Producers on a GPU: the struct, the memory that it names, and the elements there."""

from dlspec_worker.cuda.contents import Place
from dlspec_worker.cuda.driver import LEGACY, DriverError
from dlspec_worker.cuda.unfinished import machine_of
from dlspec_worker.exports import exporting, judging
from dlspec_worker.exports.devices import device_numbers
from dlspec_worker.exports.exporting import unless_refused
from dlspec_worker.facts import wording
from dlspec_worker.facts.dlpack import DeviceType
from dlspec_worker.subject import elsewhere
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant

POINTER, PINNED, MANAGED = "device.cuda-pointer-matches", "device.pinned-tag", "device.managed-tag"
TUPLE, ELEMENTS = "python.device-tuple-matches-capsule", "tensor.element-address"


@variant("producer", "cuda-struct")
def whole(trial):
    """Every rule on structs; dlpack.h 0.1, DLTensor.data: the pointer is one of the GPU that the struct names."""
    machine = machine_of(trial)
    array = trial.library.make(trial.order)
    made = unless_refused(trial, exporting.newest_export(trial, array))
    if made.device() is None or made.device()[0] != DeviceType.kDLCUDA:
        raise Unsupported(
            f"the array that make() gave for device {trial.order.device} is exported from {made.device()}"
        )
    if not judging.judge_name(trial, made):
        return
    if not judging.judge_struct(trial, made):
        trial.out.blocked("by the struct, which cannot be followed", *trial.out.rest())
        return
    _judge_tuple(trial, array, made)
    place, misfit = attempt(Place, made.facts)
    if misfit:
        trial.out.not_applicable(POINTER, ELEMENTS)
        return
    if _is_right_pointer(trial, machine, made, place):
        machine.settle()
        _judge_elements(trial, place, machine)


def _judge_tuple(trial, array, made):
    said = device_numbers(attempt(lambda: array.__dlpack_device__())[0])
    if said is None:
        trial.out.blocked("by python.device-tuple", TUPLE)
    elif said != made.device():
        observed = f"__dlpack_device__ says {said}, and the capsule holds a tensor on {made.device()}"
        trial.out.violated(TUPLE, observed, "one device")
    trial.out.pass_(TUPLE)


def _is_right_pointer(trial, machine, made, place):
    """Managed memory is device memory as well, on whichever GPU it is just now."""
    found = machine.kind_of(place.start)
    kind, ordinal = found or (None, None)
    if kind == "managed" or (kind == "device" and ordinal == made.device()[1]):
        trial.out.pass_(POINTER)
        return True
    what = {None: "is unknown to the driver", "pinned": "is page-locked host memory"}
    observed = f"data of a tensor on {made.device()} {what.get(kind, f'is memory of GPU {ordinal}')}"
    trial.out.violated(POINTER, observed, "memory of the GPU that the struct names")
    trial.out.blocked(f"by {POINTER}", ELEMENTS)
    return False


def _judge_elements(trial, place, machine):
    try:
        found = place.elements(machine, LEGACY)
    except DriverError as error:
        observed = f"the driver does not copy from the addresses of the elements: {error}"
        trial.out.wrong_value(ELEMENTS, observed, "the contents of the source array")
        return
    if found != trial.order.bytes:
        observed = f"the struct leads to other elements: {wording.of_bytes(found, trial.order.bytes)}"
        trial.out.wrong_value(ELEMENTS, observed, "the contents of the source array")
    trial.out.pass_(ELEMENTS)


@variant("producer", "cuda-pinned", "cuda-managed")
def host_memory(trial):
    """dlpack.h 0.5, kDLCUDAHost, and 0.6, kDLCUDAManaged: each name is for memory of that kind alone."""
    machine = machine_of(trial)
    is_pinned = trial.variant == "cuda-pinned"
    device = (DeviceType.kDLCUDAHost if is_pinned else DeviceType.kDLCUDAManaged, 0)
    array = trial.library.make(elsewhere.moved(trial.order, device))
    made = unless_refused(trial, exporting.newest_export(trial, array))
    said = made.device()
    if said is None or not made.first_element():
        trial.out.blocked("by the struct, which cannot be followed", *trial.out.rest())
        return
    kind, _ = machine.kind_of(made.first_element()) or (None, None)
    names = {DeviceType.kDLCUDAHost: "kDLCUDAHost", DeviceType.kDLCUDAManaged: "kDLCUDAManaged"}
    memory = (
        f"memory that the driver {f'calls {kind}' if kind else 'does not know'} is exported as {names.get(said[0])}"
    )
    if said[0] == DeviceType.kDLCUDAManaged and kind != "managed":
        trial.out.violated(MANAGED, memory, "kDLCUDAManaged for managed memory only")
    elif said[0] == DeviceType.kDLCUDAHost and kind == "managed":
        trial.out.violated(MANAGED, memory, "kDLCUDAManaged")
    elif said[0] == DeviceType.kDLCUDAHost and kind != "pinned":
        trial.out.violated(PINNED, memory, "kDLCUDAHost for page-locked memory only")
    elif said[0] not in names and kind not in ("pinned", "managed"):
        trial.out.unsupported(
            f"the array that make() gave for device {device} is exported from {said}", PINNED, MANAGED
        )
    trial.out.pass_(PINNED, MANAGED)
