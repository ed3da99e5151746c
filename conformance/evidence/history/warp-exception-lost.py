"""Warp: a consumed capsule that is dropped while an exception travels takes the exception with it.

Exit status 0: the fault is not there. With the fault the exception is lost, and the interpreter ends by a signal.
"""

import ctypes

import warp

warp.init()

set_name = ctypes.PyDLL(None).PyCapsule_SetName
set_name.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = b"used_dltensor"  # a capsule keeps the address


def consumed(capsule):
    """As a consumer leaves it; the tensor is leaked."""
    set_name(capsule, USED)
    return capsule


array = warp.array([1.0, 2.0, 3.0], dtype=warp.float32, device="cpu")
try:
    # The capsule dies on its way up, with the ZeroDivisionError in flight.
    (consumed(array.__dlpack__()), 1 // 0)
except ZeroDivisionError:
    print("the exception arrived")
