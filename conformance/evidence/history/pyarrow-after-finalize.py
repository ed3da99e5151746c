"""PyArrow 21: a deleter that is called after the end of the interpreter does not survive it.

Exit status 0: the fault is not there. With the fault the process ends by SIGSEGV.
"""

import ctypes

import numpy
import pyarrow


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
set_name = ctypes.PyDLL(None).PyCapsule_SetName
set_name.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = b"used_dltensor"  # a capsule keeps the address

array = pyarrow.Tensor.from_numpy(numpy.arange(12.0))
capsule = array.__dlpack__()
managed = get_pointer(capsule, b"dltensor")
set_name(capsule, USED)
del capsule, array
# As a consumer in C does that keeps the tensor until the process ends: called with its argument when Python has gone.
deleter = ctypes.c_void_p(Managed.from_address(managed).deleter)
ctypes.CDLL(None).__cxa_atexit(deleter, ctypes.c_void_p(managed), None)
print("leaving")
