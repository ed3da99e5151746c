"""TVM FFI: __dlpack__(copy=True) without max_version shares memory.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import numpy
import tvm_ffi

get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

tensor = tvm_ffi.from_dlpack(numpy.arange(3.0))
capsule = tensor.__dlpack__(copy=True)
managed = get_pointer(capsule, b"dltensor")  # a DLManagedTensor, which begins with DLTensor.data
shared = ctypes.c_void_p.from_address(managed).value == tensor.data_ptr()
print("the export", "shares the tensor's memory" if shared else "is a copy")
sys.exit(shared)
