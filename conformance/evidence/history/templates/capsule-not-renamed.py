"""A capsule that was imported keeps its name.

SOURCE: what is offered
IMPORT: the import of `source`
"""

source = SOURCE
array, refusal = attempt(lambda: IMPORT)
verdict(not refusal and '"used_' not in repr(source.capsule), f"{refusal or 'imported'}; the capsule: {source.capsule}")
