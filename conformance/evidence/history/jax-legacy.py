"""JAX: only the deprecated struct without a version is imported.

Exit status 1: the fault is there.
"""

import sys

import jax.dlpack
import numpy

asked = []


class Source:
    def __init__(self, version):
        self.array, self.version = numpy.arange(64.0), version

    def __dlpack__(self, **keywords):
        asked.append(keywords.get("max_version"))
        return self.array.__dlpack__(max_version=self.version)

    def __dlpack_device__(self):
        return (1, 0)


jax.dlpack.from_dlpack(Source(None))
try:
    jax.dlpack.from_dlpack(Source((1, 0)))
    refused = False
except Exception as error:
    refused = True
    print(type(error).__name__, str(error)[:100])
print("asked with max_version", asked[0], "and a versioned capsule is", "refused" if refused else "taken")
sys.exit(asked[0] is None and refused)
