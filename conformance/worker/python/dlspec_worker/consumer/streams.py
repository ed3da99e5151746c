"""Consumers: the streams that they send to exporters on a GPU.

A spy claims to be on such a device, records how it is called, and then refuses: no memory is touched, and no GPU is
needed. What the consumer does on its stream can only be observed on a GPU.
"""

from dlspec_worker.consumer.asking import host_devices
from dlspec_worker.facts import wording
from dlspec_worker.facts.dlpack import CPU, DeviceType
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

CUDA, ROCM = DeviceType.kDLCUDA, DeviceType.kDLROCM
DEFAULT = {CUDA: 1, ROCM: 0}

# Stream numbers that the standard disallows, and the rule on each.
FORBIDDEN = {(CUDA, 0): "stream.cuda-zero-never-sent", (ROCM, 1): "stream.rocm-values", (ROCM, 2): "stream.rocm-values"}


class Recorder:
    """A spy that claims to export from a GPU."""

    def __init__(self, device):
        self._device = device
        self._device_asked = False
        self.calls = []

    def __dlpack__(self, *arguments, **keywords):
        asked = dict(zip(("stream", "max_version", "dl_device", "copy"), arguments))
        self.calls.append({"device asked": self._device_asked, **asked, **keywords})
        raise BufferError("nothing is exported from here")

    def __dlpack_device__(self):
        self._device_asked = True
        return self._device


@variant("consumer", "source=cuda", "source=rocm")
def on_a_gpu(trial):
    """Array API 2021.12, __dlpack__, stream: which numbers stand for which stream, and in which form."""
    kind = CUDA if trial.variant.endswith("cuda") else ROCM
    calls = []
    for keywords in [{}] + [{"device": device} for device in host_devices(trial)]:
        source = Recorder((kind, 0))
        trial.library.from_dlpack(source, **keywords)
        calls += source.calls
    if not calls:
        trial.out.unsupported("a source on such a device is refused before it is asked", *trial.out.rest())
        return
    for call in calls:
        _judge(trial, kind, call)
    trial.out.pass_(*trial.out.rest())


def _judge(trial, kind, call):
    stream = call.get("stream")
    target = call.get("dl_device")
    moves = target is not None and target != (kind, 0)
    place = attempt(lambda: int(target[0]))[0] if moves else kind
    if place == CPU[0]:
        if stream is not None:
            observed = (
                f"stream={stream!r} was sent with dl_device={wording.of_repr(target)}"
                if _is_number(stream)
                else "a stream object was sent for the host"
            )
            trial.out.violated("stream.valid-for-target", observed, "None for the host")
    elif stream is None:
        _judge_default(trial, kind, call)
    elif not _is_number(stream):
        observed = f"stream is an object of type {type(stream).__name__}"
        trial.out.violated("stream.int-type", observed, "an integer, or None")
    elif stream < -1:
        trial.out.violated("stream.range", f"stream={stream} was sent", "-1 or above")
    elif (place, stream) in FORBIDDEN:
        rule = "stream.valid-for-target" if moves else FORBIDDEN[place, stream]
        trial.out.violated(
            rule, f"stream={stream} was sent to device type {place}", "a number that stands for a stream"
        )


def _is_number(stream):
    return isinstance(stream, int)


def _judge_default(trial, kind, call):
    # A consumer that never calls __dlpack_device__ need not know about streams.
    if call["device asked"] and call.get("dl_device") is None:
        observed = f"no stream was named to a source on device type {kind}"
        trial.out.info(
            "stream.explicit-default", observed, f"{DEFAULT[kind]} for the default stream, or another number"
        )
