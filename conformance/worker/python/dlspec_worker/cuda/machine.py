"""One GPU, as dlspec uses it: memory, streams, a writer that is late, and readers that wait for one stream only.

The order of what is written and read here is what the rules on streams are about. Nothing waits for more than it says:
`settle` for everything, `read` for one stream.
"""

import ctypes
import os
import re

from dlspec_worker.channel import loading
from dlspec_worker.cuda.driver import LEGACY, NOT_READY, PER_THREAD, Driver, DriverError
from dlspec_worker.facts.dlpack import DeviceType

ASKED = "DLSPEC_DEVICE"  # "cuda:0": the device that --device names
LATE = 50_000  # microseconds that a late writer waits before it writes; a call of __dlpack__ takes a few hundred
_NON_BLOCKING, _NO_TIMING = 1, 2
_MEMORY_TYPE, _IS_MANAGED, _ORDINAL = 2, 8, 9
_HOST = 1  # a value of _MEMORY_TYPE

_late_sources = []  # page-locked memory that late writers read from: as long as the process


class Machine:
    """A GPU by its number. Its memory and streams are few and small, and live as long as the process."""

    def __init__(self, driver, ordinal):
        self.driver = driver
        self.device = (DeviceType.kDLCUDA, ordinal)
        number = driver.answer(ctypes.c_int, "cuDeviceGet", ordinal)
        # The context that the libraries use, too: the driver has one of this kind for each GPU and process.
        self._context = driver.answer(ctypes.c_void_p, "cuDevicePrimaryCtxRetain", number)
        self.use()

    def use(self):
        """Makes this GPU the current one of the thread: a library may have chosen another."""
        self.driver.call("cuCtxSetCurrent", self._context)

    # Memory.

    def allocate(self, size):
        return self.driver.answer(ctypes.c_size_t, "cuMemAlloc_v2", size)

    def pinned(self, size):
        return self.driver.answer(ctypes.c_size_t, "cuMemHostAlloc", size, 0)

    def managed(self, size):
        attached_to_all = 1
        return self.driver.answer(ctypes.c_size_t, "cuMemAllocManaged", size, attached_to_all)

    def kind_of(self, address):
        """(device, managed or pinned; number of the GPU) of what a pointer leads to; None: unknown to the driver."""
        try:
            kind = self.driver.answer(ctypes.c_uint, "cuPointerGetAttribute", _MEMORY_TYPE, address)
            is_managed = self.driver.answer(ctypes.c_uint, "cuPointerGetAttribute", _IS_MANAGED, address)
            ordinal = self.driver.answer(ctypes.c_int, "cuPointerGetAttribute", _ORDINAL, address)
        except DriverError:
            return None
        return ("managed" if is_managed else "pinned" if kind == _HOST else "device"), ordinal

    # Streams.

    def stream(self):
        """The handle of a new stream that the legacy default stream is not ordered against."""
        return self.driver.answer(ctypes.c_size_t, "cuStreamCreate", _NON_BLOCKING)

    def destroy(self, stream):
        self.driver.call("cuStreamDestroy_v2", stream)

    def is_stream(self, number):
        """True when the driver knows the number as that of a stream that is alive."""
        if number in (LEGACY, PER_THREAD):
            return True
        place = ctypes.c_uint()
        return number > PER_THREAD and not self.driver.status("cuStreamGetFlags", number, ctypes.addressof(place))

    def was_stream(self, number):
        """True for the handle of a stream that was destroyed, as far as anybody can tell: a driver forgets them."""
        return bool(number > PER_THREAD and self.driver.optional("dlspec_model_was_stream", ctypes.c_size_t, number))

    def misuses(self):
        """The number of calls so far with streams that were destroyed; None where nobody counts them."""
        return self.driver.optional("dlspec_model_uses_after_destruction", ctypes.c_size_t)

    def is_idle(self, stream):
        """True when the stream has nothing left to do. Waits for nothing."""
        status = self.driver.status("cuStreamQuery", stream)
        if status not in (0, NOT_READY):
            raise DriverError("cuStreamQuery", status)
        return status == 0

    def order(self, later, earlier):
        """What is queued on `later` from now on waits for what was queued on `earlier`."""
        event = self.driver.answer(ctypes.c_size_t, "cuEventCreate", _NO_TIMING)
        self.driver.call("cuEventRecord", event, earlier)
        self.driver.call("cuStreamWaitEvent", later, event, 0)
        self.driver.call("cuEventDestroy_v2", event)

    def synchronise(self, stream):
        self.driver.call("cuStreamSynchronize", stream)

    def settle(self):
        """Waits for all work of all streams."""
        self.driver.call("cuCtxSynchronize")

    # Writers and readers.

    def delay(self, stream, microseconds=LATE):
        """Work that takes so long and does nothing.

        The C library's own function, called as the driver calls a host function: no Python runs, so that whoever waits
        for the stream may hold the interpreter's lock.
        """
        sleep = ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p).value
        self.driver.call("cuLaunchHostFunc", stream, sleep, microseconds)

    def fill(self, address, data):
        """Writes at once, and waits."""
        held = ctypes.create_string_buffer(data, len(data))
        self.driver.call("cuMemcpyHtoDAsync_v2", address, ctypes.addressof(held), len(data), LEGACY)
        self.settle()

    def write_late(self, stream, address, data, microseconds=LATE):
        """Queues a delay and then the write. Only page-locked memory is read when the stream gets there."""
        source = self.pinned(len(data))
        _late_sources.append(source)
        ctypes.memmove(source, data, len(data))
        self.delay(stream, microseconds)
        self.driver.call("cuMemcpyHtoDAsync_v2", address, source, len(data), stream)

    def overwrite(self, stream, address, value, size):
        """Queues the write of one value to every byte."""
        self.driver.call("cuMemsetD8Async", address, value, size, stream)

    def copy(self, stream, to, source, size):
        self.driver.call("cuMemcpyDtoDAsync_v2", to, source, size, stream)

    def gather(self, stream, addresses, size):
        """What work on this stream sees of so many bytes at each address, queued now."""
        together = self.allocate(size * len(addresses))
        try:
            for number, address in enumerate(addresses):
                self.copy(stream, together + size * number, address, size)
            return self.read(stream, together, size * len(addresses))
        finally:
            self.driver.call("cuMemFree_v2", together)

    def read(self, stream, address, size):
        """What work on this stream sees, queued now."""
        held = ctypes.create_string_buffer(size)
        self.driver.call("cuMemcpyDtoHAsync_v2", ctypes.addressof(held), address, size, stream)
        self.synchronise(stream)
        return held.raw


def asked():
    """The GPU that --device names; None without it. loading.Failed where this machine has no such."""
    text = os.environ.get(ASKED, "")
    if not text:
        return None
    ordinal = int(re.fullmatch(r"cuda:(\d+)", text)[1])
    try:
        driver = Driver()
        count = driver.answer(ctypes.c_int, "cuDeviceGetCount")
        if ordinal < count:
            return Machine(driver, ordinal)
    except (OSError, AttributeError):
        raise loading.Failed("device", f"--device {text}: this machine has no CUDA driver") from None
    except DriverError as error:
        raise loading.Failed("device", f"--device {text}: the CUDA driver finds no GPU ({error})") from None
    has = f"{count} GPU{'s' if count != 1 else ''}"
    raise loading.Failed("device", f"--device {text}: this machine has {has}, counted from 0")
