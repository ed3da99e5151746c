"""A tensor that is imported through a library's exchange table shows something else.

ARRAY: an array of the library
SOURCE: the tensor that is given to its table
FOUND: what `array`, the import, shows
WANTED: what it has to show
"""

source = SOURCE
own = ARRAY
out = ctypes.py_object()
status, refusal = import_by_table(type(own), source, out)
if refusal or status != 0:
    verdict(False, repr(refusal))
array = out.value
found = FOUND
wanted = WANTED
verdict(found != wanted, f"imported {found}, where {wanted} was offered")
