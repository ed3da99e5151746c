"""PaddlePaddle 2.6: booleans go out as 8-bit unsigned integers.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import paddle


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


get_pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
capsule = paddle.utils.dlpack.to_dlpack(paddle.to_tensor([True, False]))
managed = Managed.from_address(get_pointer(capsule, b"dltensor"))
print("type code", managed.tensor.code, "with", managed.tensor.bits, "bits")
sys.exit(managed.tensor.code != 6)
