"""JAX 0.4.20: tensors of bool are refused.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import jax
import jax.dlpack


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


python = ctypes.PyDLL(None)
new_capsule = python.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def deleter(address):
    pass


address = ctypes.addressof
memory = (ctypes.c_uint8 * 256)()
start = -address(memory) % 64
shape, strides = (ctypes.c_int64 * 1)(3), (ctypes.c_int64 * 1)(1)
release = ctypes.cast(deleter, ctypes.c_void_p)
managed = Managed(
    Tensor(address(memory) + start, (1, 0), 1, 6, 8, 1, address(shape), address(strides), 0), None, release
)


class Source:
    def __dlpack__(self, **keywords):
        return new_capsule(address(managed), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


try:
    print("imported:", jax.dlpack.from_dlpack(Source().__dlpack__()))
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(1)
