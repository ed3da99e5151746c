"""A refused tensor is released by the consumer, and its capsule keeps its name: its destructor releases it again.

SOURCE: what is offered
IMPORT: the import of `source`
"""

import gc

source = SOURCE
array, refusal = attempt(lambda: IMPORT)
gc.collect()
seen = f"{refusal!r}; {source.capsule}, {len(source.releases)} calls of the deleter"
verdict(refusal and "used" not in repr(source.capsule) and source.releases, seen)
