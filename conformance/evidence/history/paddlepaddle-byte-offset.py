"""PaddlePaddle: byte_offset is ignored on import.

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


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def deleter(address):
    pass


release = ctypes.cast(deleter, ctypes.c_void_p)
address = ctypes.addressof
values = (ctypes.c_float * 64)(*range(64))
shape = (ctypes.c_int64 * 1)(4)
strides = (ctypes.c_int64 * 1)(1)
managed = Managed(Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 8), None, release)


class Source:
    def __dlpack__(self, **keywords):
        return new_capsule(address(managed), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


array = paddle.from_dlpack(Source())
found = array.numpy().tolist()
print("imported", found, "where 2, 3, 4, 5 were offered")
sys.exit(found != [2.0, 3.0, 4.0, 5.0])
