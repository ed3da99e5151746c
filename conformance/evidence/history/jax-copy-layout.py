"""JAX 0.4.30: copy=True of a column-major array gives other elements, once a row-major one was copied.

Exit status 1: the fault is there.
"""

import sys

import jax
import jax.dlpack
import numpy

rows = numpy.arange(12, dtype="float32").reshape(3, 4)
columns = numpy.asfortranarray(rows)
jax.dlpack.from_dlpack(rows, copy=True)  # what was compiled for this layout is used again for the other
try:
    copy = numpy.asarray(jax.dlpack.from_dlpack(columns, copy=True))
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(0)
print(f"offered:\n{columns}\nimported:\n{copy}")
sys.exit(not numpy.array_equal(copy, columns))
