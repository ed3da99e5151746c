"""The library makes an export that it should refuse.

ARRAY: an array of the library
EXPORT: the export of `array`
"""

array = ARRAY
capsule, refusal = attempt(lambda: EXPORT)
verdict(refusal is None, repr(refusal) if refusal else f"exported: {capsule}")
