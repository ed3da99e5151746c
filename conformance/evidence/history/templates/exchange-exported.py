"""A tensor that a library exports through its exchange table has a wrong field or wrong elements.

ARRAY: an array of the library
IS_WRONG: a condition on `tensor`, its DLTensor
"""

array = ARRAY
made = ctypes.c_void_p()
if export_by_table(array, made) != (0, None):
    verdict(False, "not exported")
tensor = DLManagedTensorVersioned.from_address(made.value).tensor
is_wrong = IS_WRONG
verdict(is_wrong, f"dtype code {tensor.code}, {tensor.bits} bits, {tensor.ndim} axes")
