"""The functions of the CUDA driver that dlspec calls. A library that has them stands in for the driver in tests."""

import ctypes
import os

NAME = "libcuda.so.1"
IN_ITS_PLACE = "DLSPEC_CUDA_DRIVER"  # the path of a library that stands in for the driver

NOT_READY = 600

# Streams that need no handle, by the numbers that the array API and the driver both give them.
LEGACY, PER_THREAD = 1, 2

_NUMBER, _SIZE, _HANDLE, _PLACE = ctypes.c_uint, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p
_SIGNATURES = {
    "cuInit": (_NUMBER,),
    "cuDeviceGetCount": (_PLACE,),
    "cuDeviceGet": (_PLACE, ctypes.c_int),
    "cuDevicePrimaryCtxRetain": (_PLACE, ctypes.c_int),
    "cuCtxSetCurrent": (_PLACE,),
    "cuCtxSynchronize": (),
    "cuMemAlloc_v2": (_PLACE, _SIZE),
    "cuMemFree_v2": (_HANDLE,),
    "cuMemHostAlloc": (_PLACE, _SIZE, _NUMBER),
    "cuMemAllocManaged": (_PLACE, _SIZE, _NUMBER),
    "cuMemcpyHtoDAsync_v2": (_HANDLE, _PLACE, _SIZE, _HANDLE),
    "cuMemcpyDtoDAsync_v2": (_HANDLE, _HANDLE, _SIZE, _HANDLE),
    "cuMemcpyDtoHAsync_v2": (_PLACE, _HANDLE, _SIZE, _HANDLE),
    "cuMemsetD8Async": (_HANDLE, ctypes.c_ubyte, _SIZE, _HANDLE),
    "cuStreamCreate": (_PLACE, _NUMBER),
    "cuStreamDestroy_v2": (_HANDLE,),
    "cuStreamSynchronize": (_HANDLE,),
    "cuStreamQuery": (_HANDLE,),
    "cuStreamWaitEvent": (_HANDLE, _HANDLE, _NUMBER),
    "cuStreamGetFlags": (_HANDLE, _PLACE),
    "cuEventCreate": (_PLACE, _NUMBER),
    "cuEventRecord": (_HANDLE, _HANDLE),
    "cuEventDestroy_v2": (_HANDLE,),
    "cuLaunchHostFunc": (_HANDLE, _PLACE, _PLACE),
    "cuPointerGetAttribute": (_PLACE, ctypes.c_int, _HANDLE),
}


class DriverError(Exception):
    """A function of the driver that did not succeed."""

    def __init__(self, function, status):
        super().__init__(f"{function} returned {status}")
        self.status = status


class Driver:
    """The library, whose functions raise DriverError. OSError or AttributeError where there is none or an older one."""

    def __init__(self, path=None):
        # ctypes lets the interpreter's lock go during each call, so that a call that waits blocks no other thread.
        self._library = ctypes.CDLL(path or os.environ.get(IN_ITS_PLACE) or NAME)
        for name, arguments in _SIGNATURES.items():
            function = getattr(self._library, name)
            function.argtypes, function.restype = arguments, ctypes.c_int
        self.call("cuInit", 0)

    def status(self, name, *arguments):
        return getattr(self._library, name)(*arguments)

    def call(self, name, *arguments):
        status = self.status(name, *arguments)
        if status:
            raise DriverError(name, status)

    def answer(self, kind, name, *arguments):
        """What a function writes to its first argument, of this ctypes type."""
        place = kind()
        self.call(name, ctypes.addressof(place), *arguments)
        return place.value

    def optional(self, name, kind, *arguments):
        """The result of a function that only a stand-in has; None from a driver."""
        function = getattr(self._library, name, None)
        if function is None:
            return None
        function.argtypes, function.restype = [kind for _ in arguments], kind
        return function(*arguments)
