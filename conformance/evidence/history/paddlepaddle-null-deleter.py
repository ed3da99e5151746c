"""PaddlePaddle 2.6: releasing an imported tensor whose deleter is NULL ends the process.

Exit status 0: the fault is not there. With the fault the process ends by SIGSEGV.
"""

import ctypes
import gc

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


address = ctypes.addressof
values = (ctypes.c_float * 64)(*range(64))
shape = (ctypes.c_int64 * 1)(3)
strides = (ctypes.c_int64 * 1)(1)
tensor = Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0)
managed = Managed(tensor, None, None)
capsule = new_capsule(address(managed), b"dltensor", None)
array = paddle.utils.dlpack.from_dlpack(capsule)
print("imported:", array.shape)
del array
gc.collect()
print("released without a call through NULL")
