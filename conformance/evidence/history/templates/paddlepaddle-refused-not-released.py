"""What is refused is never released."""

import gc

source = Source(dtype=(kDLOpaqueHandle, 8, 1))
array, refusal = attempt(lambda: paddle.utils.dlpack.from_dlpack(source.capsule))
gc.collect()
seen = f"{refusal!r}; {source.capsule}, {len(source.releases)} calls of the deleter"
verdict(refusal and "used" in repr(source.capsule) and not source.releases, seen)
