"""Dr.Jit 1.0 and later, on its LLVM backend: compact tensors. The caller must name the type
of an import, so that imports are not judged."""

import drjit
import drjit.llvm
import numpy

TYPES = {
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
if not drjit.has_backend(drjit.JitBackend.LLVM):
    raise NotImplementedError("Dr.Jit's arrays of the CPU need libLLVM")


def version():
    return drjit.__version__


def make(spec):
    kind = getattr(drjit.llvm, TYPES.get(spec.dtype, ""), None)
    if kind is None:
        raise NotImplementedError(f"Dr.Jit has no {spec.dtype}")
    if spec.strides is not None:
        raise NotImplementedError("Dr.Jit has row-major tensors only")
    if spec.readonly:
        raise NotImplementedError("Dr.Jit has no read-only tensors")
    tensor = kind(numpy.frombuffer(spec.bytes, spec.dtype).reshape(spec.shape))
    drjit.eval(tensor)
    return tensor


def contents(tensor):
    return tensor.numpy().tobytes()


def states(tensor):
    if 0 in tensor.shape:
        return {}  # there is nothing to compute
    return {"lazy": type(tensor)(drjit.reverse(drjit.reverse(tensor.array)), shape=tensor.shape)}  # not evaluated


standard = "dlpack"
