"""Open3D 0.19: a tensor on a device that the library does not know ends the process.

Exit status 0: the fault is not there. With the fault the process ends by SIGSEGV.
"""

import ctypes

from open3d.core import Tensor as Array


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
values = (ctypes.c_float * 4)(*range(4))
shape = (ctypes.c_int64 * 1)(4)
strides = (ctypes.c_int64 * 1)(1)
managed = Managed(Tensor(address(values), (HEXAGON, 0), 1, 2, 32, 1, address(shape), address(strides), 0), None, None)
try:
    print("imported:", Array.from_dlpack(new_capsule(address(managed), b"dltensor", None)))
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
