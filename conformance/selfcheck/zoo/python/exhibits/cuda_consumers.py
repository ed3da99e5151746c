"""Consumers on a GPU, each with one fault: in the stream that it sends, the one that it uses, or when it releases."""

from exhibits.cuda_doubles import CUDA, CudaLibrary, gpu

NOBODYS = 0x5EED5EED  # the handle of no stream


class ReadsElsewhere(CudaLibrary):
    """It sends the stream that it works on, and reads on another."""

    def used(self):
        return gpu.stream()


class SendsMinusOne(CudaLibrary):
    """It asks for no order, and makes none."""

    def sent(self):
        return -1


class SendsAnyNumber(CudaLibrary):
    def sent(self):
        return NOBODYS


class SendsTheDead(CudaLibrary):
    """The stream that it sends is destroyed before the call."""

    def sent(self):
        stream = gpu.stream()
        gpu.destroy(stream)
        return stream


class LeavesWorkBehind(CudaLibrary):
    """Copies run on a stream of the library's own, which nobody waits for."""

    def copying_on(self, array):
        own = gpu.stream()
        gpu.order(own, array.stream)
        return own


class WithoutHost(CudaLibrary):
    """A library that has no arrays on the host, and says so by BufferError."""

    devices = (CUDA,)

    def to_host(self, source):
        raise BufferError("there are no arrays on the host")


class WithoutHostOtherError(WithoutHost):
    def to_host(self, source):
        raise RuntimeError("there are no arrays on the host")


class WithoutHostAnyway(WithoutHost):
    """The array stays where it is."""

    def to_host(self, source):
        return source


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("stream.consumer-passes-its-own", "consumer", "ReadsElsewhere", "cuda_doubles.CudaLibrary"),
    ("stream.consumer-passes-its-own", "consumer", "SendsMinusOne", "cuda_doubles.CudaLibrary"),
    ("stream.cuda-values", "consumer", "SendsAnyNumber", "cuda_doubles.CudaLibrary"),
    ("stream.ownership", "consumer", "SendsTheDead", "cuda_doubles.CudaLibrary"),
    ("stream.release-after-work", "consumer", "LeavesWorkBehind", "cuda_doubles.CudaLibrary"),
    ("python.from-dlpack-device-unsupported", "consumer", "WithoutHostOtherError", "WithoutHost"),
    ("python.from-dlpack-device-unsupported", "consumer", "WithoutHostAnyway", "WithoutHost"),
)
