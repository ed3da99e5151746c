"""Open3D 0.19: a capsule of any name is imported.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import open3d


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
values = (ctypes.c_float * 3)(*range(3))
shape, strides = (ctypes.c_int64 * 1)(3), (ctypes.c_int64 * 1)(1)
release = ctypes.cast(deleter, ctypes.c_void_p)
managed = Managed(Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0), None, release)
capsule = new_capsule(address(managed), b"used_dltensor", None)
try:
    print("imported:", open3d.core.Tensor.from_dlpack(capsule))
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(0)
sys.exit(1)
