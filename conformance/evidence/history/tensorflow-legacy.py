"""TensorFlow: only the deprecated struct without a version is imported.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import tensorflow


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


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def deleter(managed):
    pass


address = ctypes.addressof
values = (ctypes.c_float * 4)(1, 2, 3, 4)
shape = (ctypes.c_int64 * 1)(4)
strides = (ctypes.c_int64 * 1)(1)
tensor = Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0)
managed = Versioned((1, 0), None, ctypes.cast(deleter, ctypes.c_void_p), 0, tensor)

tensorflow.constant(1)  # imports need the eager context
try:
    tensorflow.experimental.dlpack.from_dlpack(new_capsule(address(managed), b"dltensor_versioned", None))
    refused = False
except Exception as error:
    refused = True
    print(type(error).__name__, str(error)[:100])
print("a versioned capsule is", "refused" if refused else "taken")
sys.exit(refused)
