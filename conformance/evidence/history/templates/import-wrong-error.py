"""The library refuses an import by another exception than it should.

SOURCE: what is offered
IMPORT: the import of `source`
WANTED: the exception that it should raise
"""

source = SOURCE
array, refusal = attempt(lambda: IMPORT)
verdict(refusal and not isinstance(refusal, WANTED), repr(refusal) if refusal else f"imported: {array}")
