"""What the library imports is not what was offered.

SOURCE: what is offered
IMPORT: the import of `source`
FOUND: what `array` holds
WANTED: what it should hold
"""

source = SOURCE
wanted = WANTED
array, refusal = attempt(lambda: IMPORT)
found, refusal = (None, refusal) if refusal else attempt(lambda: FOUND)
verdict(not refusal and found != wanted, repr(refusal) if refusal else f"imported {found}, where {wanted} was offered")
