"""The library exports an immutable array in a struct that has no flags.

ARRAY: an array that may not be written
EXPORT: the export of `array`
"""

array = ARRAY
capsule, refusal = attempt(lambda: EXPORT)
verdict('"dltensor"' in repr(capsule), repr(refusal) if refusal else f"exported: {capsule}")
