"""TensorFlow: an immutable tensor goes out in a capsule that cannot say so.

Exit status 1: the fault is there.
"""

import sys

import tensorflow

tensor = tensorflow.zeros(3)
try:
    capsule = tensor.__dlpack__(max_version=(1, 0))
except BufferError as error:
    print("refused:", error)
    sys.exit(0)
print("exported:", capsule)
sys.exit('"dltensor"' in repr(capsule))
