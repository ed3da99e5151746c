"""Dr.Jit 1.0 and later, on its LLVM backend: compact tensors. The caller must name the type
of an import, so that imports are not judged."""

import drjit
import drjit.llvm
import numpy
import refusals

NAMES = {
    "bool": "TensorXb",
    "int8": "TensorXi8",
    "uint8": "TensorXu8",
    "int32": "TensorXi",
    "uint32": "TensorXu",
    "int64": "TensorXi64",
    "uint64": "TensorXu64",
    "float16": "TensorXf16",
    "float32": "TensorXf",
    "float64": "TensorXf64",
}
TYPES = {dtype: getattr(drjit.llvm, name) for dtype, name in NAMES.items() if hasattr(drjit.llvm, name)}
if not drjit.has_backend(drjit.JitBackend.LLVM):
    raise NotImplementedError("Dr.Jit's arrays of the CPU need libLLVM")


def version():
    return drjit.__version__


def make(spec):
    refusals.check(spec, "Dr.Jit", TYPES, strides="row-major")
    tensor = TYPES[spec.dtype](numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape))
    drjit.eval(tensor)
    return tensor


def contents(tensor):
    return tensor.numpy().tobytes()


def states(tensor):
    if 0 in tensor.shape:
        return {}  # there is nothing to compute
    return {"lazy": type(tensor)(drjit.reverse(drjit.reverse(tensor.array)), shape=tensor.shape)}  # not evaluated


standard = "dlpack"
