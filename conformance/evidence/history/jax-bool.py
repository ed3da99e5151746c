"""JAX 0.4.20: bool goes out as an 8-bit unsigned integer.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import jax.numpy

get_pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

managed = get_pointer(jax.numpy.array([True, False]).__dlpack__(), b"dltensor")
code = ctypes.c_uint8.from_address(managed + 20).value  # DLTensor.dtype.code
print("dtype code", code, "where bool is 6")
sys.exit(code != 6)
