"""PyTorch: the number of a host device is not looked at.

Exit status 1: the fault is there.
"""

import ctypes
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
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


get_pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

try:
    capsule = torch.arange(3.0).__dlpack__(max_version=(1, 0), dl_device=(1, 7))
except BufferError as error:
    print("BufferError:", error)
    sys.exit(0)
managed = Managed.from_address(get_pointer(capsule, b"dltensor_versioned"))
print("asked for (1, 7), got", tuple(managed.tensor.device))
sys.exit(tuple(managed.tensor.device) != (1, 7))
