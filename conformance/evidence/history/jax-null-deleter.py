"""JAX: releasing an imported tensor whose deleter is NULL ends the process.

Exit status 0: the fault is not there. With the fault the process is aborted (std::bad_function_call).
"""

import ctypes
import gc

import jax


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


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

memory = (ctypes.c_float * 64)()
start = -ctypes.addressof(memory) % 64  # JAX takes data that is aligned to 64 bytes
shape = (ctypes.c_int64 * 1)(3)
strides = (ctypes.c_int64 * 1)(1)
address = ctypes.addressof
managed = Managed(Tensor(address(memory) + start, (1, 0), 1, 2, 32, 1, address(shape), address(strides), 0), None, None)


class Source:
    def __dlpack__(self, **keywords):
        return new_capsule(address(managed), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


array = jax.dlpack.from_dlpack(Source())
print("imported:", array)
del array
gc.collect()
print("released without a call through NULL")
