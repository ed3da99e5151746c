"""PaddlePaddle 2.6: strides are ignored on import.

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


python = ctypes.PyDLL(None)
new_capsule = python.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
calls = []


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def deleter(address):
    calls.append(address)


release = ctypes.cast(deleter, ctypes.c_void_p)
address = ctypes.addressof
values = (ctypes.c_float * 64)(*range(64))
shape = (ctypes.c_int64 * 2)(2, 3)
strides = (ctypes.c_int64 * 2)(1, 2)
tensor = Tensor(address(values), (1, 0), 2, 2, 32, 1, address(shape), address(strides), 0)
managed = Managed(tensor, None, release)
capsule = new_capsule(address(managed), b"dltensor", None)
found = paddle.utils.dlpack.from_dlpack(capsule).numpy().tolist()
print("imported", found, "where [[0, 2, 4], [1, 3, 5]] was offered")
sys.exit(found != [[0, 2, 4], [1, 3, 5]])
