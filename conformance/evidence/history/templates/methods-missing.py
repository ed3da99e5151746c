"""Arrays of the library lack __dlpack__ or __dlpack_device__.

ARRAY: an array of the library
"""

array = ARRAY
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not hasattr(array, name)]
verdict(missing, f"missing: {missing}")
