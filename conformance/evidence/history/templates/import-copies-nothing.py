"""from_dlpack(copy=True) shares the memory of its source.

SOURCE: an array that can be written
IMPORT: the import of `source` with copy=True
FOUND: the first element of `array`
"""

source = SOURCE
array = IMPORT
source[0] = 99
found = FOUND
verdict(found == 99, f"the source begins with 99 now, what copy=True gave with {found}")
