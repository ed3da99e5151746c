"""A tensor of many axes, of one element each, ends the process in place of being refused.

AXES: how many
IMPORT: the import of `source`
"""

run_in_a_child()
axes = AXES
ones = (ctypes.c_int64 * axes)(*[1] * axes)
source = Source(shape=(1,))
source.managed.tensor.ndim = axes
source.managed.tensor.shape = source.managed.tensor.strides = ctypes.addressof(ones)
array, refusal = attempt(lambda: IMPORT)
print(repr(refusal) if refusal else "imported")
