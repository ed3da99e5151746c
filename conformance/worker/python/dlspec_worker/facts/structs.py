"""The structs of dlpack.h over ctypes, pointers as integers.

reference/vocabulary/abi_structs.py writes this file from abi.h; tables_test.py compares the two.
"""

import ctypes


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_uint64),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_uint64),
        ("strides", ctypes.c_uint64),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [
        ("tensor", DLTensor),
        ("manager_ctx", ctypes.c_uint64),
        ("deleter", ctypes.c_uint64),
    ]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_uint64),
        ("deleter", ctypes.c_uint64),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


class DLPackExchangeAPI(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("prev_api", ctypes.c_uint64),
        ("managed_tensor_allocator", ctypes.c_uint64),
        ("managed_tensor_from_py_object_no_sync", ctypes.c_uint64),
        ("managed_tensor_to_py_object_no_sync", ctypes.c_uint64),
        ("dltensor_from_py_object_no_sync", ctypes.c_uint64),
        ("current_work_stream", ctypes.c_uint64),
    ]
