"""ONNX Runtime: tensors of bool are not imported.

Exit status 1: the fault is there.
"""

import sys

import numpy
import onnxruntime

array = numpy.array([True, False])
own = onnxruntime.OrtValue.ortvalue_from_numpy(array)
print("the library's own:", own.data_type())
try:
    print("imported:", onnxruntime.OrtValue.from_dlpack(array))
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(1)
