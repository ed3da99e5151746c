"""MLX 0.31: __dlpack__ takes no keywords.

Exit status 1: the fault is there.
"""

import sys

import mlx.core as mx

try:
    print("exported:", mx.zeros((3,)).__dlpack__(stream=None))
except TypeError as error:
    print("refused:", str(error).splitlines()[0])
    sys.exit(1)
