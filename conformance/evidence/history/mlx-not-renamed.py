"""MLX: a capsule that was imported keeps its name, is imported again, and released again.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import mlx.core as mx


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
calls = []


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def deleter(address):
    calls.append(address)


release = ctypes.cast(deleter, ctypes.c_void_p)
address = ctypes.addressof
values = (ctypes.c_float * 3)(*range(3))
shape = (ctypes.c_int64 * 1)(3)
strides = (ctypes.c_int64 * 1)(1)
tensor = Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0)
managed = Managed(1, 0, None, release, 0, tensor)
capsule = new_capsule(address(managed), b"dltensor_versioned", None)


class Source:
    def __dlpack__(self, **keywords):
        return capsule

    def __dlpack_device__(self):
        return (1, 0)


for _ in range(2):
    try:
        print("imported:", mx.from_dlpack(Source()))
    except Exception as error:
        print(f"refused: {type(error).__name__}: {error}")
print(capsule, "was released", len(calls), "times")
sys.exit(len(calls) != 1)
