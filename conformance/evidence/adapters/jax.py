"""JAX 0.4.20 and later. Every array is immutable; 64-bit dtypes are enabled."""

import itertools
import os

import jax
import jax.dlpack
import jax.numpy as jnp
import numpy

if os.environ.get("DLSPEC_DEVICE", "").startswith("cuda"):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or JAX takes three quarters of the GPU's memory
else:
    jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

NAMES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128 "
    "float8_e4m3fn float8_e5m2"
)


def version():
    return jax.__version__


def make(spec):
    if spec.dtype not in NAMES.split():
        raise NotImplementedError(f"JAX does not keep {spec.dtype} as DLPack does")
    values = numpy.frombuffer(spec.bytes, jnp.dtype(spec.dtype)).reshape(spec.shape)
    if spec.strides is None:
        return jnp.array(values) if spec.device[0] == CPU else jax.device_put(values, device_of(spec))
    return jax.device_put(values, format_of(spec))


CPU, CUDA = 1, 2


def device_of(spec):
    if spec.device[0] == CPU:
        return jax.devices("cpu")[0]
    if spec.device[0] != CUDA:
        raise NotImplementedError(f"JAX makes no arrays on device type {spec.device[0]}")
    try:
        return jax.devices("cuda")[spec.device[1]]
    except (RuntimeError, IndexError):
        raise NotImplementedError("this JAX has no CUDA plug-in, or finds no such GPU") from None


def format_of(spec):
    """The order of axes that the strides describe: JAX has compact arrays only."""
    axes = sorted(range(len(spec.shape)), key=lambda axis: (-spec.strides[axis], axis))
    steps = itertools.accumulate([1] + [spec.shape[axis] for axis in reversed(axes)], lambda a, b: a * b)
    if spec.offset or [spec.strides[axis] for axis in reversed(axes)] != list(steps)[: len(axes)]:
        raise NotImplementedError("JAX has compact arrays only")
    try:
        from jax.experimental.layout import Format, Layout
    except ImportError:
        raise NotImplementedError("this release of JAX has no layouts") from None
    return Format(Layout(tuple(axes)), jax.sharding.SingleDeviceSharding(device_of(spec)))


def from_dlpack(source, **kwargs):
    return jax.dlpack.from_dlpack(source, **kwargs)


def contents(array):
    return numpy.asarray(array).tobytes()


def write(array, data):
    raise TypeError("JAX's arrays are immutable")


def states(array):
    return {"pending": turned(turned(array))}  # a computation that may not have ended


turned = jax.jit(jnp.flip)
