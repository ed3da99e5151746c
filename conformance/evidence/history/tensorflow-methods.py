"""TensorFlow 2.15: tensors have neither __dlpack__ nor __dlpack_device__.

Exit status 1: the fault is there.
"""

import sys

import tensorflow

tensor = tensorflow.zeros(3)
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not hasattr(tensor, name)]
print("missing:", missing)
sys.exit(bool(missing))
