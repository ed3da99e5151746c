"""The library refuses a tensor that it should import.

SOURCE: what is offered
IMPORT: the import of `source`
ERROR: the class of what it raises
"""

source = SOURCE
array, refusal = attempt(lambda: IMPORT)
verdict(isinstance(refusal, ERROR), repr(refusal) if refusal else f"imported: {array}")
