"""TensorFlow: a device that cannot be served is refused by RuntimeError, not by BufferError.

Exit status 1: the fault is there.
"""

import sys

import tensorflow

tensor = tensorflow.zeros(3)
try:
    capsule = tensor.__dlpack__(dl_device=(10, 0))
except BufferError as error:
    print("BufferError:", error)
    sys.exit(0)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
print("exported:", capsule)
