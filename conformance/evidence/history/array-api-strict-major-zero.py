"""array-api-strict: a tensor whose major version is 0 is imported.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import array_api_strict


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


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

data, shape, strides = (ctypes.c_float * 3)(1, 2, 3), (ctypes.c_int64 * 1)(3), (ctypes.c_int64 * 1)(1)
address = ctypes.addressof
managed = Managed(0, 0, None, None, 0, Tensor(address(data), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0))


class Source:
    def __dlpack__(self, **keywords):
        return new_capsule(address(managed), b"dltensor_versioned", None)

    def __dlpack_device__(self):
        return (1, 0)


try:
    array = array_api_strict.from_dlpack(Source())
except Exception as error:
    print("refused:", error)
    sys.exit(0)
print("imported:", array)
sys.exit(1)
