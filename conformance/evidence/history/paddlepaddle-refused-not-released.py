"""PaddlePaddle 2.6: what is refused is never released.

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
shape = (ctypes.c_int64 * 1)(3)
strides = (ctypes.c_int64 * 1)(1)
tensor = Tensor(address(values), (1, 0), 1, 6, 8, 1, address(shape), address(strides), 0)
managed = Managed(tensor, None, release)
capsule = new_capsule(address(managed), b"dltensor", None)
try:
    print("imported:", paddle.utils.dlpack.from_dlpack(capsule))
except Exception as error:
    print(f"refused: {type(error).__name__}: {str(error).splitlines()[0]}")
gc.collect()
print(capsule, "was released", len(calls), "times")
sys.exit("used" in repr(capsule) and not calls)
