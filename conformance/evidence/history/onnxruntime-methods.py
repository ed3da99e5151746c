"""ONNX Runtime 1.20: OrtValue is not exported.

Exit status 1: the fault is there.
"""

import sys

import numpy
import onnxruntime

value = onnxruntime.OrtValue.ortvalue_from_numpy(numpy.zeros(3, numpy.float32))
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not hasattr(value, name)]
print("missing:", missing)
sys.exit(bool(missing))
