"""A tensor that is imported through a library's exchange table shows something else.

ARRAY: an array of the library
SOURCE: the tensor that is given to its table
FOUND: what `array`, the import, shows
WANTED: what it has to show
"""

source = SOURCE
own = ARRAY
address = table_of(type(own)).managed_tensor_to_py_object_no_sync
function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address)
out = ctypes.py_object()
status, refusal = attempt(lambda: function(ctypes.addressof(source.managed), ctypes.addressof(out)))
if refusal or status != 0:
    verdict(False, repr(refusal))
array = out.value
found = FOUND
wanted = WANTED
verdict(found != wanted, f"imported {found}, where {wanted} was offered")
