"""An import of an import is released after it: the release of the first, within that of the second, waits for good.

Each release holds a lock that is not recursive while it calls the deleter.
"""

run_in_a_child(10)
first = paddle.from_dlpack(numpy.zeros(3, "float32"))
second = paddle.from_dlpack(first)
del first  # the memory is held by the export of which `second` was made
del second
verdict(False, "both were released")
