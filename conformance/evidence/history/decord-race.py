"""Decord: one capsule that several threads import at the same time becomes several arrays, each of which releases it.

The name is looked at, then the tensor is taken by a call that lets other threads run, then the capsule is renamed.
Whether threads meet there is chance: up to 2,000 capsules are tried. Exit status 1: the fault is there.
"""

import ctypes
import sys
import threading

from decord import ndarray

THREADS = 8


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
released = []


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def deleter(address):
    released.append(address)


release = ctypes.cast(deleter, ctypes.c_void_p)
address = ctypes.addressof
values, shape = (ctypes.c_float * 64)(*range(64)), (ctypes.c_int64 * 1)(3)
managed = Managed(Tensor(address(values), (1, 0), 1, 2, 32, 1, address(shape), None, 0), None, release)


def imported(gate, capsule, arrays):
    gate.wait()
    try:
        arrays.append(ndarray.from_dlpack(capsule))
    except ValueError:  # a used capsule
        pass


for tried in range(1, 2001):
    released.clear()
    gate, arrays, capsule = threading.Barrier(THREADS), [], new_capsule(address(managed), b"dltensor", None)
    threads = [threading.Thread(target=imported, args=(gate, capsule, arrays)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    count = len(arrays)
    arrays.clear()
    if count > 1:
        print(
            f"capsule {tried}: {count} of {THREADS} threads imported it; the deleter was called {len(released)} times"
        )
        sys.exit(1)
print("every capsule was imported once")
sys.exit(0)
