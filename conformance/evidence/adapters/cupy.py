"""CuPy 13 and later. It imports anywhere, but its arrays live on a GPU."""

import cupy
import numpy
import numpy_orders
import refusals

if not cupy.cuda.is_available():
    raise NotImplementedError("CuPy's arrays need an NVIDIA GPU and its driver")


def version():
    return cupy.__version__


CUDA, MANAGED = 2, 13
devices = ((CUDA, 0),)


def make(spec):
    if spec.device[0] == MANAGED:
        with cupy.cuda.using_allocator(cupy.cuda.malloc_managed):
            return made(spec)
    if spec.device[0] != CUDA:
        raise NotImplementedError("CuPy's arrays lie in memory of the GPU, or in managed memory")
    with cupy.cuda.Device(spec.device[1]):
        return made(spec)


def made(spec):
    refusals.check(spec, "CuPy", numpy_orders.DTYPES)
    values = cupy.asarray(numpy_orders.values(spec))
    if spec.strides is None:
        return values
    return numpy_orders.placed(values, spec, cupy.zeros, cupy.lib.stride_tricks.as_strided)


def from_dlpack(source, **kwargs):
    return cupy.from_dlpack(source, **kwargs)


def contents(array):
    return cupy.asnumpy(array).tobytes()


def on_stream(number):
    return cupy.cuda.ExternalStream(number)


def queue_copy(array):
    return array.copy()


def write(array, data):
    array[...] = cupy.asarray(numpy.frombuffer(data, array.dtype).reshape(array.shape))
