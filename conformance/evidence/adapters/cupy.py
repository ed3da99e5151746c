"""CuPy 13 and later. It imports anywhere, but its arrays live on a GPU."""

import cupy
import numpy
import numpy_orders
import refusals

if not cupy.cuda.is_available():
    raise NotImplementedError("CuPy's arrays need an NVIDIA GPU and its driver")


def version():
    return cupy.__version__


def make(spec):
    if tuple(spec.device) != (2, cupy.cuda.runtime.getDevice()):
        raise NotImplementedError("CuPy's arrays lie in GPU memory")
    refusals.check(spec, "CuPy", numpy_orders.DTYPES)
    values = cupy.asarray(numpy_orders.values(spec))
    if spec.strides is None:
        return values
    return numpy_orders.placed(values, spec, cupy.zeros, cupy.lib.stride_tricks.as_strided)


def from_dlpack(source, **kwargs):
    return cupy.from_dlpack(source, **kwargs)


def contents(array):
    return cupy.asnumpy(array).tobytes()


def write(array, data):
    array[...] = cupy.asarray(numpy.frombuffer(data, array.dtype).reshape(array.shape))
