"""current_work_stream of a library's exchange table succeeds for the host, and puts nothing out.

ARRAY: an array of the library
"""

own = ARRAY
address = table_of(type(own)).current_work_stream
function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)(address)
stream = ctypes.c_void_p(0xABC)
status = function(kDLCPU, 0, ctypes.addressof(stream))
verdict(status == 0 and stream.value == 0xABC, f"status {status}, stream {stream.value}")
