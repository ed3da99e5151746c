"""A tensor that is imported through a library's exchange table is not released when the import goes.

ARRAY: an array of the library
SOURCE: the tensor that is given to its table
"""

import gc

source = SOURCE
out = ctypes.c_void_p()
own = ARRAY
if import_by_table(type(own), source, out) != (0, None):
    verdict(False, "not imported")
release_reference = python.Py_DecRef
release_reference.argtypes = [ctypes.c_void_p]
release_reference(out)
gc.collect()
verdict(not source.releases, f"{len(source.releases)} releases when the import had gone")
