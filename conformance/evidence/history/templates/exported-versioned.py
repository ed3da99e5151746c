"""A DLManagedTensorVersioned that the library exports has a wrong field.

ARRAY: an array of the library
EXPORT: the export of `array`, in a capsule "dltensor_versioned"
IS_WRONG: a condition on `managed` and `tensor`, its DLTensor
"""

array = ARRAY
capsule, refusal = attempt(lambda: EXPORT)
if refusal:
    verdict(False, repr(refusal))
managed = DLManagedTensorVersioned.from_address(capsule_pointer(capsule, b"dltensor_versioned"))
tensor = managed.tensor
is_wrong = IS_WRONG
verdict(is_wrong, f"data {tensor.data:#x}, device ({tensor.device_type}, {tensor.device_id}), flags {managed.flags:#x}")
