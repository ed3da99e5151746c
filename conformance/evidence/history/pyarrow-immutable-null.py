"""PyArrow 21: an immutable tensor goes out with a data pointer of NULL.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import numpy
import pyarrow

get_pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

array = numpy.arange(6.0).reshape(2, 3)
array.flags.writeable = False
managed = get_pointer(pyarrow.Tensor.from_numpy(array).__dlpack__(), b"dltensor")
data = ctypes.c_void_p.from_address(managed).value  # DLTensor.data
print("data is", "NULL" if data is None else "not NULL")
sys.exit(data is None)
