"""The test doubles on a GPU: a producer and a consumer that keep every rule on streams, over the model of a driver.

Their memory, streams and events are those of the model, whose work is done when somebody waits for it and not before.
Both work on the stream that on_stream() was given last, and on the legacy default stream before.
"""

import contextlib
import ctypes
import os

from dlspec_worker.cuda import driver
from dlspec_worker.cuda.contents import Place
from dlspec_worker.cuda.machine import Machine
from dlspec_worker.facts.elements import row_major

from exhibits import double_fixtures, doubles

os.environ[driver.IN_ITS_PLACE] = double_fixtures.library("cuda_model.so")
CPU, CUDA, PINNED, MANAGED = (1, 0), (2, 0), (3, 0), (13, 0)
LEGACY, PER_THREAD = driver.LEGACY, driver.PER_THREAD
gpu = Machine(driver.Driver(), 0)
second_gpu = Machine(driver.Driver(), 1)
gpu.use()
working = [LEGACY]  # the stream that the library works on


@contextlib.contextmanager
def on_stream(number):
    working.append(number)
    try:
        yield
    finally:
        working.pop()


def wait_on_host(stream):
    gpu.synchronise(stream)


class CudaArray(doubles.Array):
    """An array in the memory of the GPU, or in memory of the host that the driver knows."""

    def __init__(self, order):
        super().__init__(order)
        self.place = self.allocate()
        self.pending = working[-1]  # the stream on which its elements are written last
        gpu.use()
        gpu.fill(self.place, self.laid_out())

    # What a fault changes.

    def allocate(self):
        """The address of memory for the array."""
        return {PINNED: gpu.pinned, MANAGED: gpu.managed}.get(self.said(), gpu.allocate)(self.size())

    def tag(self):
        """The device in the struct."""
        return self.said()

    def shown_steps(self):
        """The strides in the struct."""
        return self.steps()

    def legacy_default(self):
        """None: what the consumer queues on the legacy default stream waits."""
        gpu.order(LEGACY, self.pending)

    def number(self, stream):
        """1, 2 or a handle, as the driver is given it; check() has refused what is below."""
        return max(stream, LEGACY)

    def wait(self, stream):
        """What is queued on the stream from now on waits."""
        gpu.order(stream, self.pending)

    def not_synchronised(self):
        """-1."""

    def check(self, stream):
        if stream == 0 or stream < -1:
            raise ValueError("this stands for no stream")

    def returned(self, stream):
        """The last thing that is done with a stream."""

    def copied_on(self, stream):
        """The address of a copy that is made on the stream, after the elements are there."""
        place = gpu.allocate(self.size())
        gpu.copy(stream, place, self.place, self.size())
        return place

    def complete(self):
        """The elements of a copy on the host, once they are there."""
        wait_on_host(self.pending)
        return gpu.read(self.pending, self.place, self.size())

    # What every such array does.

    def size(self):
        return max(1, len(self.laid_out()))

    def laid_out(self):
        """The bytes in memory, gaps included: element by element where the strides lead."""
        order = self.order
        steps, item = self.steps(), self.item()
        places = self.offsets(steps)
        held = bytearray(item * (max(places, default=0) + 1))
        for number, place in enumerate(places):
            held[item * place : item * (place + 1)] = order.bytes[item * number : item * (number + 1)]
        return bytes(held)

    def steps(self):
        return row_major(self.order.shape) if self.order.strides is None else self.order.strides

    def item(self):
        count = 1
        for extent in self.order.shape:
            count *= extent
        return len(self.order.bytes) // count if count else 1

    def offsets(self, steps):
        places = [self.order.offset]
        for extent, step in zip(self.order.shape, steps):
            places = [place + index * step for place in places for index in range(extent)]
        return places

    def said(self):
        return tuple(self.order.device)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        gpu.use()
        generation = "versioned" if (max_version or (0, 0))[0] >= 1 else "legacy"
        if dl_device == CPU:
            if copy is False or stream is not None:
                raise BufferError("an export to the host is a copy, for which there is no stream")
            return self.transfer(generation)
        if dl_device not in (None, self.said()):
            raise BufferError("no such device")
        place = self.placed(stream, copy)
        return self.described(generation, place, 2 if copy and generation == "versioned" else 0)

    def placed(self, stream, copy):
        """The address of the elements, for work on this stream."""
        if stream is None:
            self.legacy_default()
        elif stream == -1:
            self.not_synchronised()
        else:
            self.check(stream)
            self.wait(self.number(stream))
        on = LEGACY if stream is None else working[-1] if stream == -1 else self.number(stream)
        place = self.copied_on(on) if copy else self.place
        if stream is not None and stream > PER_THREAD:
            self.returned(stream)
        return place

    def described(self, generation, place, flags):
        order = self.order
        fields = {"flags": flags} if generation == "versioned" else {}
        fields |= {"device": self.tag(), "strides": self.shown_steps(), "byte_offset": self.item() * order.offset}
        offer = doubles.make_offer(order, generation, **fields)
        capsule = offer.capsule()
        if order.bytes:
            doubles.Taken(capsule, rename=False).struct.tensor.data = place
        return capsule

    def transfer(self, generation):
        flags = {"flags": 2} if generation == "versioned" else {}
        return doubles.make_offer(self.order, generation, device=CPU, contents=self.complete(), **flags).capsule()


def goes_back(order):
    return any(stride < 0 for extent, stride in zip(order.shape, order.strides or ()) if extent > 1)


class CudaProducer(doubles.Producer):
    """The adapter of a class of such arrays."""

    devices = (CPU, CUDA)

    def make(self, order):
        if order.device == CPU or order.readonly or goes_back(order):
            raise NotImplementedError("only arrays on the GPU, writable, with strides that are not negative")
        return super().make(order)

    def contents(self, array):
        facts = {
            "data": array.place,
            "byte_offset": array.item() * array.order.offset,
            "shape": array.order.shape,
            "strides": array.steps(),
            "dtype": (0, 8 * array.item(), 1),
        }
        return Place(facts).elements(gpu, working[-1]) if array.order.bytes else b""

    def write(self, array, data):
        raise NotImplementedError("nothing is written")

    @staticmethod
    def on_stream(number):
        return on_stream(number)


class CudaImport:
    """An imported array on the GPU: it reads on one stream, and releases when it goes."""

    def __init__(self, taken, stream):
        self.taken = taken
        self.stream = stream
        tensor = taken.tensor
        self.place = tensor.data + tensor.byte_offset
        shape = (ctypes.c_int64 * tensor.ndim).from_address(tensor.shape) if tensor.ndim else ()
        self.size = tensor.bits // 8
        for extent in shape:
            self.size *= extent

    def __del__(self):
        self.taken.release()


class CudaCopy:
    """A copy that the library made."""

    def __init__(self, size):
        self.place = gpu.allocate(size)
        self.size = size
        self.stream = working[-1]


class CudaLibrary:
    """A consumer that sends the stream that it works on, and works on that stream."""

    standard = "array-api"
    devices = (CPU, CUDA)

    def __init__(self, fault=""):
        self.fault = fault

    # What a fault changes.

    def sent(self):
        """The stream that __dlpack__ is given."""
        return working[-1]

    def used(self):
        """The stream that the import is read on."""
        return working[-1]

    def copying_on(self, array):
        """The stream that copies are queued on."""
        return array.stream

    def to_host(self, source):
        """An array of the library's own, on the host."""
        return doubles.Array(source.order)

    # What every such library does.

    def make(self, order):
        if order.device == CPU:
            raise NotImplementedError("only arrays on the GPU")
        return CudaArray(order)

    def from_dlpack(self, source, copy=None, device=None):
        gpu.use()
        if isinstance(source, CudaArray):
            if device in ("cpu", CPU):
                return self.to_host(source)
            if device is not None or copy is not None:
                raise BufferError("no such device")
            return source
        if tuple(source.__dlpack_device__()) != CUDA:
            raise BufferError("not on the GPU")
        capsule = source.__dlpack__(stream=self.sent(), max_version=(1, 3))
        return CudaImport(doubles.Taken(capsule), self.used())

    def contents(self, array):
        if isinstance(array, doubles.Array):
            return CudaProducer().contents(array) if isinstance(array, CudaArray) else bytes(array.held)
        return gpu.read(array.stream, array.place, array.size)

    def queue_copy(self, array):
        gpu.use()
        made = CudaCopy(array.size)
        made.stream = self.copying_on(array)
        gpu.copy(made.stream, made.place, array.place, array.size)
        return made

    @staticmethod
    def on_stream(number):
        return on_stream(number)
