"""managed_tensor_to_py_object_no_sync of a library's exchange table ends the process.

ARRAY: an array of the library
SOURCE: the tensor that is given to its table
"""

run_in_a_child()
source = SOURCE
own = ARRAY
out = ctypes.py_object()
status, refusal = import_by_table(type(own), source, out)
verdict(False, "imported" if status == 0 else f"{type(refusal).__name__}: {str(refusal).partition(chr(10))[0]}")
