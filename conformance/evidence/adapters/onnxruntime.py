"""ONNX Runtime: its OrtValue, which has the protocol since 1.26. Values are compact."""

import numpy
import numpy_orders
import onnxruntime
import refusals


def version():
    return onnxruntime.__version__


def make(spec):
    refusals.check(spec, "ONNX Runtime, filled by NumPy,", numpy_orders.DTYPES, strides="row-major")
    values = numpy_orders.values(spec).copy()
    try:
        return onnxruntime.OrtValue.ortvalue_from_numpy(values)
    except RuntimeError as reason:
        raise NotImplementedError(f"ONNX Runtime makes no such value: {reason}") from None


def from_dlpack(source, **kwargs):
    if kwargs:
        raise NotImplementedError("OrtValue.from_dlpack has no device and no copy")
    if not hasattr(onnxruntime.OrtValue, "from_dlpack"):
        raise NotImplementedError("this release of ONNX Runtime has no from_dlpack")
    return onnxruntime.OrtValue.from_dlpack(source)


def contents(value):
    return value.numpy().tobytes()


def write(value, data):
    held = value.numpy()
    value.update_inplace(numpy.frombuffer(data, held.dtype).reshape(held.shape))


standard = "dlpack"
