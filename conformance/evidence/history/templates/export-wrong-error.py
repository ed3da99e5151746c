"""The library refuses an export by another exception than BufferError.

ARRAY: an array of the library
EXPORT: the export of `array`
"""

array = ARRAY
capsule, refusal = attempt(lambda: EXPORT)
verdict(refusal and not isinstance(refusal, BufferError), repr(refusal) if refusal else f"exported: {capsule}")
