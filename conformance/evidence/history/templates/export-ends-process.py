"""An export ends the process.

ARRAY: an array of the library
EXPORT: the export of `array`
"""

run_in_a_child()
array = ARRAY
capsule, refusal = attempt(lambda: EXPORT)
print("refused:" if refusal else "exported:", repr(refusal) if refusal else capsule, flush=True)
verdict(False, "the process lives")
