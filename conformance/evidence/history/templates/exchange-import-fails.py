"""managed_tensor_to_py_object_no_sync of a library's exchange table fails, and does not do it as DLPack asks.

ARRAY: an array of the library
SOURCE: the tensor that is given to it
IS_WRONG: a condition on `status`, `error` (the exception that it left, or None) and `source.releases`
"""

source = SOURCE
own = ARRAY
address = table_of(type(own)).managed_tensor_to_py_object_no_sync
function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address)
out = ctypes.c_void_p()
status, error = attempt(lambda: function(ctypes.addressof(source.managed), ctypes.addressof(out)))
is_wrong = IS_WRONG
verdict(is_wrong, f"status {status}, exception {error!r}, {len(source.releases)} releases")
