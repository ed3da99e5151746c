"""TensorFlow: the device where a tensor lies is refused as dl_device.

Exit status 1: the fault is there.
"""

import sys

import tensorflow

tensor = tensorflow.zeros(3)
try:
    capsule = tensor.__dlpack__(dl_device=tensor.__dlpack_device__())
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
print("exported:", capsule)
