"""The library refuses an export that it should make.

ARRAY: an array of the library
EXPORT: the export of `array`
ERROR: the class of what it raises
"""

array = ARRAY
capsule, refusal = attempt(lambda: EXPORT)
verdict(isinstance(refusal, ERROR), repr(refusal) if refusal else f"exported: {capsule}")
