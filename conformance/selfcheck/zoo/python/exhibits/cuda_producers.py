"""Producers on a GPU, each with one fault: in the stream that it waits for, or in the memory that it names."""

import ctypes
import weakref

from exhibits import cuda_doubles, doubles
from exhibits.cuda_doubles import CUDA, LEGACY, PER_THREAD, PINNED, CudaArray, gpu


class NeverWaits(CudaArray):
    """A stream by its handle is taken and left alone."""

    def wait(self, stream):
        if stream <= PER_THREAD:
            super().wait(stream)


class TakesOneForNothing(CudaArray):
    """1 is taken for a stream that needs no order. To mix 1 and 2 up is no fault: they are ordered by themselves."""

    def wait(self, stream):
        if stream != LEGACY:
            super().wait(stream)


class TakesTwoForNothing(CudaArray):
    """2 is taken for a stream that needs no order."""

    def wait(self, stream):
        if stream != PER_THREAD:
            super().wait(stream)


class NoneIsNothing(CudaArray):
    """None is taken for -1."""

    def legacy_default(self):
        pass


class TakesZeroAsLegacy(CudaArray):
    def check(self, stream):
        if stream < -1:
            raise ValueError("this stands for no stream")


class TakesAnyNumber(CudaArray):
    def check(self, stream):
        if stream == 0:
            raise ValueError("this stands for no stream")


class WaitsOnMinusOne(CudaArray):
    def not_synchronised(self):
        cuda_doubles.wait_on_host(self.pending)


class OrdersOnMinusOne(CudaArray):
    def not_synchronised(self):
        gpu.order(LEGACY, self.pending)


class DestroysStreams(CudaArray):
    def returned(self, stream):
        gpu.destroy(stream)


class KeepsStreams(CudaArray):
    """The stream that an export was given is used once more when the array goes."""

    def returned(self, stream):
        weakref.finalize(self, gpu.driver.status, "cuStreamQuery", stream)


class CopiesElsewhere(CudaArray):
    """A copy is made on the stream of the array, and nothing tells the consumer's."""

    def copied_on(self, stream):
        return super().copied_on(self.pending)


class CopiesAtOnce(CudaArray):
    """A copy is made on the stream of the array, and the consumer's waits for it."""

    def copied_on(self, stream):
        place = super().copied_on(self.pending)
        gpu.order(stream, self.pending)
        return place


class TransfersEarly(CudaArray):
    """A copy for the host is returned before the elements have come."""

    def transfer(self, generation):
        flags = {"flags": 2} if generation == "versioned" else {}
        offer = doubles.make_offer(self.order, generation, device=(1, 0), contents=bytes(self.size()), **flags)
        capsule = offer.capsule()
        to = doubles.Taken(capsule, rename=False).struct.tensor.data
        gpu.driver.call("cuMemcpyDtoHAsync_v2", to, self.place, self.size(), self.pending)
        return capsule


class OfAnotherGpu(CudaArray):
    def allocate(self):
        if self.said() != CUDA:
            return super().allocate()
        cuda_doubles.second_gpu.use()
        return cuda_doubles.second_gpu.allocate(self.size())


class PageLocked(CudaArray):
    """Page-locked memory of the host is called memory of the GPU."""

    def allocate(self):
        return gpu.pinned(self.size()) if self.said() == CUDA else super().allocate()


class Pageable(CudaArray):
    """Ordinary memory of the host is called page-locked."""

    def described(self, generation, place, flags):
        if self.said() != PINNED:
            return super().described(generation, place, flags)
        return super().described(generation, doubles.keep(ctypes.string_at(place, self.size())), flags)


class ManagedAsPinned(CudaArray):
    """Managed memory is called page-locked memory of the host."""

    def tag(self):
        return PINNED if self.said() == cuda_doubles.MANAGED else self.said()


class DeviceAsManaged(CudaArray):
    """Where managed memory is asked for, memory of the GPU is called so."""

    def allocate(self):
        return super().allocate() if self.said() != cuda_doubles.MANAGED else gpu.allocate(self.size())


class Elsewhere(CudaArray):
    """Strides lead to other elements of its memory."""

    def shown_steps(self):
        return self.steps()[::-1] if self.order.strides else self.steps()


class BeyondItsMemory(CudaArray):
    """Strides lead out of its memory, which the driver does not copy."""

    def shown_steps(self):
        return tuple(step << 12 for step in self.steps()) if self.order.strides else self.steps()


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("stream.data-ready", "producer", "NeverWaits", "cuda_doubles.CudaArray"),
    ("stream.cuda-values", "producer", "TakesOneForNothing", "cuda_doubles.CudaArray"),
    ("stream.cuda-values", "producer", "TakesTwoForNothing", "cuda_doubles.CudaArray"),
    ("stream.none-means-legacy", "producer", "NoneIsNothing", "cuda_doubles.CudaArray"),
    ("stream.cuda-zero-refused", "producer", "TakesZeroAsLegacy", "cuda_doubles.CudaArray"),
    ("stream.range", "producer", "TakesAnyNumber", "cuda_doubles.CudaArray"),
    ("stream.minus-one-no-sync", "producer", "WaitsOnMinusOne", "cuda_doubles.CudaArray"),
    ("stream.minus-one-no-sync", "producer", "OrdersOnMinusOne", "cuda_doubles.CudaArray"),
    ("stream.ownership", "producer", "DestroysStreams", "cuda_doubles.CudaArray"),
    ("stream.ownership", "producer", "KeepsStreams", "cuda_doubles.CudaArray"),
    ("python.copy-on-stream", "producer", "CopiesElsewhere", "cuda_doubles.CudaArray"),
    ("python.copy-on-stream", "producer", "CopiesAtOnce", "cuda_doubles.CudaArray"),
    ("stream.dl-device-cpu", "producer", "TransfersEarly", "cuda_doubles.CudaArray"),
    ("device.cuda-pointer-matches", "producer", "OfAnotherGpu", "cuda_doubles.CudaArray"),
    ("device.cuda-pointer-matches", "producer", "PageLocked", "cuda_doubles.CudaArray"),
    ("tensor.element-address", "producer", "Elsewhere", "cuda_doubles.CudaArray"),
    ("tensor.element-address", "producer", "BeyondItsMemory", "cuda_doubles.CudaArray"),
    ("device.pinned-tag", "producer", "Pageable", "cuda_doubles.CudaArray"),
    ("device.managed-tag", "producer", "ManagedAsPinned", "cuda_doubles.CudaArray"),
    ("device.managed-tag", "producer", "DeviceAsManaged", "cuda_doubles.CudaArray"),
)
