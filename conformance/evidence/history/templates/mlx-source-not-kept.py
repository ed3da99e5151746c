"""An export does not keep the memory of its array."""

import ctypes
import gc

array = mlx.core.array([1.5, 2.5, 3.5])
mlx.core.eval(array)
capsule = array.__dlpack__()
tensor = DLManagedTensor.from_address(capsule_pointer(capsule, b"dltensor")).tensor
before = ctypes.string_at(tensor.data, 12)
del array
gc.collect()
others = [mlx.core.array([9.0, 8.0, float(n)]) for n in range(64)]
mlx.core.eval(*others)
after = ctypes.string_at(tensor.data, 12)
verdict(before != after, f"before: {before.hex()}, after the array has gone: {after.hex()}")
