"""What is refused is never released."""

import gc

source = Source(dtype=(kDLBool, 8, 1))
array, refusal = attempt(lambda: paddle.utils.dlpack.from_dlpack(source.capsule))
gc.collect()
seen = f"{refusal!r}; {source.capsule}, {len(source.releases)} calls of the deleter"
verdict("used" in repr(source.capsule) and not source.releases, seen)
