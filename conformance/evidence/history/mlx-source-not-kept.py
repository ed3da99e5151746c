"""MLX 0.31: an export does not keep the memory of its array.

Exit status 1: the fault is there.
"""

import ctypes
import gc
import sys

import mlx.core as mx

get_pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

array = mx.array([1.5, 2.5, 3.5])
mx.eval(array)
capsule = array.__dlpack__()
managed = get_pointer(capsule, b"dltensor")
data = ctypes.c_void_p.from_address(managed).value
before = ctypes.string_at(data, 12)
del array
gc.collect()
others = [mx.array([9.0, 8.0, float(n)]) for n in range(64)]
mx.eval(*others)
after = ctypes.string_at(data, 12)
print("before:", before.hex(), "after the array has gone:", after.hex())
sys.exit(before != after)
