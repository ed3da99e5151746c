"""PaddlePaddle: the deleter runs under a lock that every import takes, and that is waited for with Python's own lock held.

Exit status 0: the fault is not there. With the fault the two threads wait for each other, and the process ends with status 1 after some seconds.
"""

import ctypes
import faulthandler
import threading

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
SECONDS = 1


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def deleter(address):
    meet.pop()() if meet else None


release = ctypes.cast(deleter, ctypes.c_void_p)
address = ctypes.addressof
values = (ctypes.c_float * 4)(*range(4))
shape = (ctypes.c_int64 * 1)(4)
strides = (ctypes.c_int64 * 1)(1)
tensor = Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0)
meet, offered = [], []


class Source:
    def __dlpack__(self, **keywords):
        offered.append(Managed(tensor, address(values), release))
        return new_capsule(address(offered[-1]), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


def wait_for_another_import():
    thread = threading.Thread(target=lambda: paddle.from_dlpack(Source()), daemon=True)
    thread.start()
    thread.join(SECONDS)


faulthandler.dump_traceback_later(5 * SECONDS, exit=True)
array = paddle.from_dlpack(Source())
meet.append(wait_for_another_import)
del array
print("the deleter let another thread import, and came back")
