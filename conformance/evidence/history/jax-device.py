"""JAX: an unsupported device does not raise BufferError.

Exit status 1: the fault is there.
"""

import ctypes
import sys

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

HEXAGON = 16
address = ctypes.addressof
values = (ctypes.c_float * 4)(1, 2, 3, 4)
shape = (ctypes.c_int64 * 1)(4)
strides = (ctypes.c_int64 * 1)(1)
managed = Managed(Tensor(address(values), (HEXAGON, 0), 1, 2, 32, 1, address(shape), address(strides), 0), None, None)


class Source:
    def __dlpack__(self, **keywords):
        return new_capsule(address(managed), b"dltensor", None)

    def __dlpack_device__(self):
        return (HEXAGON, 0)


try:
    jax.dlpack.from_dlpack(Source())
    raised = None
except Exception as error:
    raised = error
print("a tensor of a Hexagon processor raised", type(raised).__name__)
sys.exit(raised is not None and not isinstance(raised, BufferError))
