"""A deleter that is called after the interpreter was finalized does not return.

ARRAY: an array of the library
EXPORT: the export of `array`, in a capsule "dltensor"
"""

import ctypes

run_in_a_child()
array = ARRAY
capsule = EXPORT
managed = DLManagedTensor.from_address(capsule_pointer(capsule, b"dltensor"))
rename_capsule(capsule, USED)
del capsule, array
# As a consumer in C that keeps the tensor until exit(): the deleter is called when the interpreter has gone.
deleter, address = ctypes.c_void_p(managed.deleter), ctypes.c_void_p(ctypes.addressof(managed))
ctypes.CDLL(None)["__cxa_atexit"](deleter, address, None)
print("leaving")
