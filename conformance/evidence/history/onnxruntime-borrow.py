"""ONNX Runtime: an export does not keep the memory alive.

Exit status 1: the fault is there.
"""

import gc
import sys
import weakref

import numpy
from onnxruntime import OrtValue


class Memory(numpy.ndarray):
    """An array that can be watched."""


memory = numpy.arange(3.0).view(Memory)
watched = weakref.ref(memory)
value = OrtValue.ortvalue_from_numpy(memory)
capsule = value.__dlpack__()
del memory, value
gc.collect()
print("the memory is", "gone while its export lives" if watched() is None else "kept by its export")
sys.exit(watched() is None)
