"""An import, or the release of what was imported, ends the process.

SOURCE: what is offered
IMPORT: the import of `source`
"""

import gc

run_in_a_child()
source = SOURCE
array, refusal = attempt(lambda: IMPORT)
print("refused:" if refusal else "imported:", repr(refusal) if refusal else array, flush=True)
del array
gc.collect()
verdict(False, "the process lives")
