"""A tensor whose manager_ctx is NULL is never released."""

import gc


def releases(context):
    """How often the deleter is called, for a struct without a version and one with."""
    counts = []
    for version in (None, (1, 0)):
        source = Source(shape=(4,), version=version, context=context)
        array = paddle.from_dlpack(source)
        del array
        gc.collect()
        counts.append(len(source.releases))
    return counts


some, null = releases(0x1000), releases(0)
verdict(some != null, f"calls of the deleter, legacy and versioned: with a context {some}, with NULL {null}")
