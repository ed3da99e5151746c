"""The allocator of a library's exchange table gives a tensor that no memory holds.

ARRAY: an array of the library
SHAPE: what is asked for, of float32
"""

shape = (ctypes.c_int64 * len(SHAPE))(*SHAPE)
prototype = DLTensor(0, kDLCPU, 0, len(SHAPE), kDLFloat, 32, 1, ctypes.addressof(shape), 0, 0)
reports = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
errors = []
set_error = reports(lambda context, kind, message: errors.append(kind))
own = ARRAY
address = table_of(type(own)).managed_tensor_allocator
function = ctypes.PYFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)(address)
out = ctypes.c_void_p()
status = function(ctypes.addressof(prototype), ctypes.addressof(out), None, ctypes.cast(set_error, ctypes.c_void_p))
verdict(status == 0 and bool(out.value), f"status {status}, {len(errors)} errors")
