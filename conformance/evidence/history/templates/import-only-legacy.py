"""The library imports the deprecated DLManagedTensor only: it asks for no version, and refuses a versioned capsule.

IMPORT: the import of `source`
"""

source = Source()
attempt(lambda: IMPORT)
asked = source.keywords.get("max_version")
source = Source(version=(1, 0))
array, refusal = attempt(lambda: IMPORT)
outcome = repr(refusal) if refusal else "imported"
verdict(asked is None and refusal, f"asked for max_version={asked}; a versioned capsule: {outcome}")
