"""managed_tensor_to_py_object_no_sync of a library's exchange table fails, and does not do it as DLPack asks.

ARRAY: an array of the library
SOURCE: the tensor that is given to it
IS_WRONG: a condition on `status`, `error` (the exception that it left, or None) and `source.releases`
"""

source = SOURCE
own = ARRAY
out = ctypes.c_void_p()
status, error = import_by_table(type(own), source, out)
is_wrong = IS_WRONG
verdict(is_wrong, f"status {status}, exception {error!r}, {len(source.releases)} releases")
