"""Arrays of the library whose elements a late writer is still writing, on the stream that the library works on.

Whoever reads them without waiting for that writer sees the canary.
"""

from dlspec_worker.cuda.contents import Place
from dlspec_worker.cuda.driver import LEGACY, PER_THREAD
from dlspec_worker.cuda.machine import LATE
from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import Export, export, unless_refused
from dlspec_worker.facts.dlpack import DeviceType
from dlspec_worker.trial.outcomes import Unsupported


def canary_of(data):
    """As many bytes, each of them another."""
    return bytes(byte ^ 0xFF for byte in data)


def machine_of(trial):
    """The GPU of --device, current in this thread and with nothing left to do."""
    trial.library.machine.use()
    trial.library.machine.settle()
    return trial.library.machine


def exported(trial, array):
    """The newest export of the array, which lies in the GPU's memory; else Unsupported."""
    made = unless_refused(trial, exporting.newest_export(trial, array))
    device = made.device()
    if device is None or device[0] not in (DeviceType.kDLCUDA, DeviceType.kDLCUDAManaged):
        raise Unsupported(f"the array that make() gave for device {trial.order.device} is exported from {device}")
    return made


class Unfinished:
    """An array of the library, a stream that the library works on, and the writer that is late there."""

    def __init__(self, trial):
        self._trial = trial
        self.machine = machine_of(trial)
        self.stream = self.machine.stream()
        with trial.library.on_stream(self.stream):
            self.array = trial.library.make(trial.order)
            made = exported(trial, self.array)
        self.others = {name: value for name, value in made.keywords.items() if name == "max_version"}
        self.place = Place(made.facts)
        if not self.place.is_compact:
            raise Unsupported("the array is not compact in memory, so that nobody can write it at once")
        self.settled = made  # the export before anything was late
        self._check_the_stream()

    def _check_the_stream(self):
        """What follows is about exports only where the library really works on the stream that it was given."""
        self.begin()
        with self._trial.library.on_stream(self.stream):
            held = self._trial.library.contents_or_none(self.array)
        if held not in (None, self._trial.order.bytes):
            raise Unsupported("contents() inside on_stream() does not wait for that stream")

    def begin(self, microseconds=LATE):
        """From now on the elements are the canary, until the writer has come, so late."""
        self.machine.use()
        self.machine.settle()
        self.machine.fill(self.place.start, canary_of(self._trial.order.bytes))
        self.machine.write_late(self.stream, self.place.start, self._trial.order.bytes, microseconds)

    def waited_for(self):
        """What a call since begin() has waited for, or has let another stream wait for; None where it did neither."""
        if self.machine.is_idle(self.stream):
            return "returned after the work that was queued before it had ended"
        if not (self.machine.is_idle(LEGACY) and self.machine.is_idle(PER_THREAD)):
            return "queued work on a default stream, which was idle"
        return None

    def call(self, **keywords):
        """__dlpack__ with these keywords, while the writer is late."""
        with self._trial.library.on_stream(self.stream):
            made = export(self._trial, self.array, **{**self.others, **keywords})
        self.machine.use()
        return made

    def takes_streams(self):
        """False where __dlpack__ does not know the keyword at all."""
        return not exporting.is_keyword_unknown(self._trial, self.array, "stream")

    def refusal_of(self, **keywords):
        """How a call with these keywords is refused while no work is pending; None where it is accepted."""
        self.machine.settle()
        with self._trial.library.on_stream(self.stream):
            return Export(self._trial, self.array, {**self.others, **keywords}).refusal

    def forget(self):
        """Drops the array and its first export."""
        self.array = self.settled = None

    def seen_on(self, stream, made):
        """The elements of an export, as work on this stream sees them."""
        return Place(made.facts).elements(self.machine, stream)
