"""PaddlePaddle 3.2: 8-bit floats go out as kDLFloat with 8 bits.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import numpy
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
array = paddle.to_tensor(numpy.zeros(3, "uint8")).view(paddle.float8_e4m3fn)
managed = Managed.from_address(get_pointer(array.__dlpack__(), b"dltensor"))
print("type code", managed.tensor.code, "with", managed.tensor.bits, "bits")
sys.exit((managed.tensor.code, managed.tensor.bits) == (2, 8))
