"""A capsule that was imported keeps its name, and is imported again.

SOURCE: what is offered
IMPORT: the import of `source`
"""

import gc

source = SOURCE
imports = sum(attempt(lambda: IMPORT)[1] is None for _ in range(2))
gc.collect()
verdict(imports > 1, f"{imports} imports of {source.capsule}, {len(source.releases)} calls of the deleter")
