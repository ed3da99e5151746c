"""TensorFlow: a dtype that is not exported is refused by another exception than BufferError.

Exit status 1: the fault is there.
"""

import sys

import tensorflow

tensor = tensorflow.cast(tensorflow.ones(3), "float8_e5m2")
try:
    capsule = tensor.__dlpack__()
except BufferError as error:
    print("BufferError:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
print("exported:", capsule)
