"""TensorFlow 2.12 and later, with __dlpack__ since 2.16. It imports capsules; its tensors are compact and immutable."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy  # noqa: E402
import tensorflow as tf  # noqa: E402

NAMES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128 "
    "float8_e4m3fn float8_e5m2"
)
one = tf.constant(1)  # imports need the eager context, which the first tensor makes


def version():
    return tf.__version__


def make(spec):
    if spec.dtype not in NAMES.split():
        raise NotImplementedError(f"TensorFlow does not keep {spec.dtype} as DLPack does")
    if spec.strides is not None:
        raise NotImplementedError("TensorFlow has row-major tensors only")
    try:
        dtype = tf.as_dtype(spec.dtype)
    except TypeError:
        raise NotImplementedError(f"this release of TensorFlow has no {spec.dtype}") from None
    return tf.constant(numpy.frombuffer(spec.bytes, dtype.as_numpy_dtype).reshape(spec.shape))


if not hasattr(one, "__dlpack__"):

    def to_dlpack(tensor):
        return tf.experimental.dlpack.to_dlpack(tensor)


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("tf.experimental.dlpack.from_dlpack has no device and no copy")
    return tf.experimental.dlpack.from_dlpack(source.__dlpack__())


def contents(tensor):
    return tensor.numpy().tobytes()


def write(tensor, data):
    raise TypeError("TensorFlow's tensors are immutable")


standard = "dlpack"
