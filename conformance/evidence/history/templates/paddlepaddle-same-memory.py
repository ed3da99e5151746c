"""Of two imports of the same memory, as of one array, the first is never released."""

import gc


def releases(shared):
    """How often the deleter of each of two imports is called, which are alive at the same time."""
    sources = [Source(), Source()]
    if shared:
        sources[1].managed.tensor.data = sources[0].data
    arrays = [paddle.from_dlpack(source) for source in sources]
    while arrays:
        del arrays[0]
        gc.collect()
    return [len(source.releases) for source in sources]


apart, together = releases(False), releases(True)
seen = f"calls of the deleter: two imports of different memory {apart}, two of the same memory {together}"
verdict(apart == [1, 1] != together, seen)
