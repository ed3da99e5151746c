"""A tensor that is imported through a library's exchange table shows something else.

ARRAY: an array of the library
SOURCE: the tensor that is given to its table
FOUND: what `array`, the import, shows
WANTED: what it has to show
"""

source = SOURCE
out = ctypes.py_object()
import_through_table(ARRAY, source, out)
array = out.value
found = FOUND
wanted = WANTED
verdict(found != wanted, f"imported {found}, where {wanted} was offered")
