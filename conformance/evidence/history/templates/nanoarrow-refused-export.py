"""A refused export keeps a reference to the buffer that was imported, which is then never released."""

import gc
import sys

import numpy


class Only:
    """An array whose only methods are those of DLPack."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


def held(stream):
    """References to an array that are left by four imports, each of which was asked for an export with this stream."""
    array = numpy.arange(4.0)
    before = sys.getrefcount(array)
    for _ in range(4):
        view = nanoarrow.c_buffer(Only(array)).view()
        try:
            view.__dlpack__(stream=stream)
        except ValueError:
            pass
        del view
        gc.collect()
    return sys.getrefcount(array) - before


allowed, refused = held(None), held(1)
verdict(refused > allowed, f"references left by four imports: {allowed} after exports, {refused} after refused ones")
