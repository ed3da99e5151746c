"""The library imports a tensor that it should refuse.

SOURCE: what is offered
IMPORT: the import of `source`
"""

source = SOURCE
array, refusal = attempt(lambda: IMPORT)
verdict(refusal is None, repr(refusal) if refusal else f"imported: {array}")
