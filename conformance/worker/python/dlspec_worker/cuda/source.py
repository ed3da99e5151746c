"""What consumers on a GPU are offered: an exporter that orders the stream that it is given after a late writer."""

import contextlib
import ctypes

from dlspec_worker.cuda.driver import LEGACY
from dlspec_worker.facts.dlpack import is_pair
from dlspec_worker.facts.structs import DLManagedTensor, DLManagedTensorVersioned
from dlspec_worker.imports.offers import make_offer

_ACT = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_STRUCTS = {"legacy": DLManagedTensor, "versioned": DLManagedTensorVersioned}
_kept = []  # what others have the address of: as long as the process


class CudaSource:
    """An exporter of one block of the GPU's memory with the ordered elements.

    `writer`: the stream on which a late writer may still be at work. `on_release`: what the deleter does as well.
    """

    def __init__(self, trial, machine, address, writer=None):
        self._trial = trial
        self._machine = machine
        self._address = address
        self._writer = writer
        self.asked = []  # the streams
        self.problems = []  # (rule, observed) of the streams
        self.handed_out = 0
        self.on_release = None
        self._offers = []

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device is not None and tuple(dl_device) != self._machine.device:
            raise BufferError("this tensor stays on its device")
        if copy:
            raise BufferError("this tensor is not copied")
        self.asked.append(stream)
        self._machine.use()
        self._make_wait(stream)
        versioned = is_pair(max_version) and max_version[0] >= 1
        self.handed_out += 1
        return self._capsule("versioned" if versioned else "legacy")

    def __dlpack_device__(self):
        return self._machine.device

    def _make_wait(self, stream):
        """As the standard asks of a producer. For a stream that is none, everything is waited for."""
        number = LEGACY if stream is None else stream
        if isinstance(number, int) and number == -1:
            return
        if self._problem_of(number):
            self.problems.append(self._problem_of(number))
            self._machine.settle()
        elif self._writer is not None:
            self._machine.order(number, self._writer)

    def _problem_of(self, number):
        if not isinstance(number, int):
            return "stream.int-type", f"stream is an object of type {type(number).__name__}"
        if number < -1:
            return "stream.range", f"stream={number} was sent"
        if number == 0:
            return "stream.cuda-zero-never-sent", "stream=0 was sent"
        if self._machine.is_stream(number):
            return None
        if self._machine.was_stream(number):
            return "stream.ownership", "the stream sent was destroyed before __dlpack__ was called"
        return "stream.cuda-values", "the number sent is no stream's"

    def stream_of_consumer(self):
        """The stream that was sent last and that reuse of the memory may be queued on; None where none is named."""
        sent = self.asked[-1] if self.asked else -1
        if sent is None:
            return LEGACY
        return sent if isinstance(sent, int) and self._machine.is_stream(sent) else None

    def managed(self):
        """The address of a versioned struct that belongs to whoever is given it."""
        self.handed_out += 1
        capsule = self._capsule("versioned")
        _, address = self._trial.native.locate(capsule)
        watch = self._trial.native.watch(capsule)
        watch.take()
        _kept.append(watch)
        return address

    def _capsule(self, generation):
        """dlspec's own export, whose data is the GPU's."""
        offer = make_offer(self._trial, generation, device=self._machine.device)
        self._offers.append(offer)
        capsule = offer.capsule()
        struct = _STRUCTS[generation].from_address(self._trial.native.locate(capsule)[1])
        struct.tensor.data = self._address
        if self.on_release:
            struct.deleter = self._hooked(struct.deleter)
        return capsule

    def _hooked(self, deleter):
        """The address of a deleter that calls this one, and then on_release."""

        def release(address):
            _ACT(deleter)(address)
            with contextlib.suppress(Exception):  # nothing may leave a deleter
                self.on_release()

        made = _ACT(release)
        _kept.append(made)
        return ctypes.cast(made, ctypes.c_void_p).value

    @property
    def released(self):
        return sum(offer.deleter_calls for offer in self._offers)
