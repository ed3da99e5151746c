"""PaddlePaddle: tensors that several threads import are now and then never released.

Exit status 1: the fault is there.
"""

import ctypes
import gc
import sys
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
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


python = ctypes.PyDLL(None)
new_capsule = python.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
address = ctypes.addressof
values = (ctypes.c_float * 4)(*range(4))
shape = (ctypes.c_int64 * 1)(4)
strides = (ctypes.c_int64 * 1)(1)
# A deleter that needs no lock of Python: sem_post adds 1 to the first word of what it is given, here the major version.
release = ctypes.cast(ctypes.CDLL(None).sem_post, ctypes.c_void_p)
tensor = Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0)
offered = []


class Source:
    def __dlpack__(self, **keywords):
        managed = Managed(1, 0, address(values), release, 0, tensor)
        offered.append(managed)
        return new_capsule(address(managed), b"dltensor_versioned", None)

    def __dlpack_device__(self):
        return (1, 0)


def imports():
    for _ in range(2000):
        paddle.from_dlpack(Source())


threads = [threading.Thread(target=imports) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
gc.collect()
never = sum(managed.major == 1 for managed in offered)
print(never, "of", len(offered), "imports were never released")
sys.exit(never > 0)
