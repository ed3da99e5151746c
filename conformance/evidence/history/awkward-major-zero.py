"""Awkward Array: a tensor whose major version is 0 is imported.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import awkward


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
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


python = ctypes.PyDLL(None)
new_capsule = python.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

address = ctypes.addressof
values = (ctypes.c_float * 3)(*range(3))
shape = (ctypes.c_int64 * 1)(3)
strides = (ctypes.c_int64 * 1)(1)
tensor = Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0)
managed = Managed(0, 0, None, None, 0, tensor)


class Source:
    def __dlpack__(self, **keywords):
        return new_capsule(address(managed), b"dltensor_versioned", None)

    def __dlpack_device__(self):
        return (1, 0)


try:
    array = awkward.from_dlpack(Source())
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(0)
print("imported:", array)
sys.exit(1)
