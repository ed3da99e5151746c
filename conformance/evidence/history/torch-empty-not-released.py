"""PyTorch 2.2: an empty tensor whose data is NULL is never released.

Exit status 1: the fault is there.
"""

import ctypes
import gc
import sys

import torch


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
release = release
shape, strides = (ctypes.c_int64 * 1)(0), (ctypes.c_int64 * 1)(1)
managed = Managed(Tensor(None, (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0), None, release)


class Source:
    def __dlpack__(self, **keywords):
        return new_capsule(address(managed), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


tensor = torch.from_dlpack(Source())
print("imported:", tensor)
del tensor
gc.collect()
print("the deleter was called", len(calls), "times")
sys.exit(len(calls) != 1)
