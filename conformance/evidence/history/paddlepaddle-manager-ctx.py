"""PaddlePaddle: a tensor whose manager_ctx is NULL is never released.

Exit status 1: the fault is there.
"""

import ctypes
import gc
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


class Legacy(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint32 * 2),
        ("ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


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
shape = (ctypes.c_int64 * 1)(4)
strides = (ctypes.c_int64 * 1)(1)
tensor = Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0)


class Source:
    def __init__(self, managed, name):
        self.managed, self.name = managed, name

    def __dlpack__(self, **keywords):
        return new_capsule(address(self.managed), self.name, None)

    def __dlpack_device__(self):
        return (1, 0)


def released(context):
    """How often the deleter is called, for a struct without a version and one with."""
    counts = []
    for managed, name in (
        (Legacy(tensor, context, release), b"dltensor"),
        (Versioned((1, 0), context, release, 0, tensor), b"dltensor_versioned"),
    ):
        calls.clear()
        array = paddle.from_dlpack(Source(managed, name))
        del array
        gc.collect()
        counts.append(len(calls))
    return counts


some, null = released(address(values)), released(None)
print("deleter calls, legacy and versioned, with a context:", some, "and with NULL:", null)
sys.exit(some != null)
