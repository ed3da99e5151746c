"""JAX 0.4.30: copy=True of data that is not aligned to 16 bytes ends the process, once aligned data was copied.

Exit status 1: the fault is there.
"""

import subprocess
import sys

PROGRAM = """
import jax.dlpack, numpy
memory = numpy.zeros(128, "uint8")
aligned = memory[-memory.ctypes.data % 64 :][:64].view("float32")
jax.dlpack.from_dlpack(aligned[:5], copy=True)
print("imported:", numpy.asarray(jax.dlpack.from_dlpack(aligned[3:8], copy=True)))
"""

done = subprocess.run([sys.executable, "-c", PROGRAM])
print("the process ended with", done.returncode)
sys.exit(done.returncode < 0)
