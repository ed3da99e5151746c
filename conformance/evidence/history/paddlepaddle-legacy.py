"""PaddlePaddle 2.6: only the deprecated struct without a version is imported.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import paddle

if hasattr(paddle, "from_dlpack"):
    print("this release has paddle.from_dlpack, which asks for versions itself")
    sys.exit(0)


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint32 * 2),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


memory = (ctypes.c_float * 4)(1.5, 2.5, 3.5, 4.5)
shape, strides = (ctypes.c_int64 * 1)(4), (ctypes.c_int64 * 1)(1)
tensor = Tensor(ctypes.addressof(memory), (ctypes.c_int32 * 2)(1, 0), 1, 2, 32, 1, shape, strides, 0)
managed = Versioned((ctypes.c_uint32 * 2)(1, 0), None, None, 0, tensor)
make_capsule = ctypes.PyDLL(None).PyCapsule_New
make_capsule.restype, make_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule = make_capsule(ctypes.addressof(managed), b"dltensor_versioned", None)
try:
    refused = False
    print(paddle.utils.dlpack.from_dlpack(capsule))
except Exception as error:
    refused = True
    print(type(error).__name__, str(error).strip().splitlines()[-1][:150])
print("a versioned capsule is", "refused" if refused else "taken")
sys.exit(refused)
