"""PaddlePaddle 2.6 and later."""

import numpy
import ordered_memory
import paddle
import refusals

NAMES = (
    "bool int8 int16 int32 int64 uint8 float16 float32 float64 bfloat16 complex64 complex128 float8_e4m3fn float8_e5m2"
)
DTYPES = frozenset(name for name in NAMES.split() if hasattr(paddle, name))
RELEASE = tuple(map(int, paddle.__version__.split(".")[:2]))
paddle.set_device("cpu")


def version():
    return paddle.__version__


def make(spec):
    refusals.check(spec, "this release of Paddle", DTYPES, strides="not negative")
    if len(spec.shape) > 9:
        raise NotImplementedError("this release of Paddle has nine axes at most")
    if not spec.bytes:
        return paddle.zeros(spec.shape, spec.dtype)
    if spec.strides is None:
        return tensor_of(spec.bytes, spec.dtype).reshape(spec.shape)
    memory = tensor_of(ordered_memory.of(spec), spec.dtype)
    return paddle.as_strided(memory, spec.shape, spec.strides, spec.offset * memory.element_size())  # offset in bytes


def tensor_of(data, dtype):
    if dtype in numpy.sctypeDict:
        return paddle.to_tensor(numpy.frombuffer(data, dtype))
    if RELEASE < (3, 2):
        raise NotImplementedError(f"this release of Paddle dies of views as {dtype}")
    return paddle.to_tensor(numpy.frombuffer(data, "uint8")).view(getattr(paddle, dtype))


if hasattr(paddle, "from_dlpack"):

    def from_dlpack(source, **kwargs):
        return paddle.from_dlpack(source, **kwargs)

else:

    def to_dlpack(tensor):
        return paddle.utils.dlpack.to_dlpack(tensor)

    def from_dlpack(source, **kwargs):
        if kwargs:
            raise NotImplementedError("paddle.utils.dlpack.from_dlpack has no device and no copy")
        return paddle.utils.dlpack.from_dlpack(source.__dlpack__())


def contents(tensor):
    return tensor.numpy().tobytes()


def normalised(tensor):
    return tensor.contiguous().numpy().tobytes()


def write(tensor, data):
    tensor.copy_(tensor_of(data, str(tensor.dtype).split(".")[-1]).reshape(tensor.shape), True)


def states(tensor):
    if "float" not in str(tensor.dtype) or "float8" in str(tensor.dtype):
        return {}
    try:
        found = tensor.clone()
    except ValueError as error:
        raise NotImplementedError(f"this release of Paddle clones no empty tensor: {error}") from error
    found.stop_gradient = False
    return {"gradient": found}


def mutate(tensor, kind):
    if not hasattr(tensor, METHODS[kind]):
        raise NotImplementedError(f"this release of Paddle has no Tensor.{METHODS[kind]}")
    axes = list(reversed(range(len(tensor.shape))))
    arguments = {"resize": [4 * max(1, tensor.size)], "reshape": [1, *tensor.shape], "transpose": axes}
    getattr(tensor, METHODS[kind])(arguments[kind])


METHODS = {"resize": "resize_", "reshape": "reshape_", "transpose": "transpose_"}


standard = "dlpack"
