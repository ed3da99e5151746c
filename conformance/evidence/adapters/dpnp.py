"""dpnp: the arrays of the array API in oneAPI memory. Intel's OpenCL runtime makes the processor such a device."""

import os
import sys

import numpy
import ordered_memory
import refusals

# The runtime from the package index is found by its path alone, which has to be set before dpnp is imported.
RUNTIME = os.path.join(sys.prefix, "lib", "libintelocl.so")
if os.path.exists(RUNTIME):
    os.environ.setdefault("OCL_ICD_FILENAMES", RUNTIME)

import dpctl  # noqa: E402
import dpnp  # noqa: E402

if not dpctl.get_devices():
    raise NotImplementedError("no SYCL device is found; the package intel-opencl-rt makes the processor one")


def version():
    return dpnp.__version__


def where(array):
    """(type, id) as two ints."""
    kind, number = array.__dlpack_device__()
    return int(kind), int(number)


devices = (where(dpnp.empty(1)),)


def make(spec):
    if tuple(spec.device) not in devices:
        raise NotImplementedError("dpnp makes no arrays in host memory")
    refusals.check(spec, "dpnp", refusals.NUMBERS | {"bool", "complex64", "complex128"})
    if spec.strides is None:
        return dpnp.asarray(numpy.frombuffer(spec.bytes, spec.dtype)).reshape(spec.shape)
    memory = dpnp.asarray(numpy.frombuffer(bytes(ordered_memory.of(spec)), spec.dtype))
    size = memory.itemsize
    strides = tuple(size * stride for stride in spec.strides)
    return dpnp.ndarray(spec.shape, spec.dtype, buffer=memory, offset=spec.offset, strides=strides)


def from_dlpack(source, **kwargs):
    """An array of dpnp from a oneAPI device, and one of NumPy from the host."""
    return dpnp.from_dlpack(source, **kwargs)


def contents(array):
    return (array if isinstance(array, numpy.ndarray) else dpnp.asnumpy(array)).tobytes()


def write(array, data):
    values = numpy.frombuffer(data, array.dtype).reshape(array.shape)
    array[...] = values if isinstance(array, numpy.ndarray) else dpnp.asarray(values)
