"""What is refused is never released, although its capsule is renamed.

SOURCE: what is offered
IMPORT: the import of `source`
"""

import gc

source = SOURCE
array, refusal = attempt(lambda: IMPORT)
gc.collect()
seen = f"{refusal!r}; {source.capsule}, {len(source.releases)} calls of the deleter"
verdict(refusal and "used" in repr(source.capsule) and not source.releases, seen)
