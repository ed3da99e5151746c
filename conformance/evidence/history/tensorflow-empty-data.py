"""TensorFlow: an empty array goes out with a data pointer that is not NULL.

Exit status 1: the fault is there.
"""

import ctypes
import sys

import numpy
import tensorflow

get_pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

array = tensorflow.constant(numpy.zeros((3, 0)))
capsule = array.__dlpack__()
managed = get_pointer(capsule, b"dltensor")  # a DLManagedTensor, which begins with DLTensor.data
data = ctypes.c_void_p.from_address(managed).value
print("data is", "NULL" if data is None else "not NULL")
sys.exit(data is not None)
