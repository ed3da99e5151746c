"""A DLManagedTensor that the library exports has a wrong field.

ARRAY: an array of the library
EXPORT: the export of `array`, in a capsule "dltensor"
IS_WRONG: a condition on `tensor`, its DLTensor
"""

array = ARRAY
capsule, refusal = attempt(lambda: EXPORT)
if refusal:
    verdict(False, repr(refusal))
tensor = DLManagedTensor.from_address(capsule_pointer(capsule, b"dltensor")).tensor
is_wrong = IS_WRONG
verdict(is_wrong, f"data {tensor.data:#x}, dtype code {tensor.code}, {tensor.bits} bits, {tensor.lanes} lanes")
