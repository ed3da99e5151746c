"""Of two imports without elements, whose data are both NULL, the first is never released, also after an export."""

import gc


def releases(count):
    """How often the deleter of each of so many empty tensors is called, which are alive at the same time."""
    sources = [Source(shape=(3, 0), strides=(0, 1)) for _ in range(count)]
    arrays = [paddle.from_dlpack(source) for source in sources]
    exports = [array.__dlpack__() for array in arrays]
    while arrays:
        del arrays[-1], exports[-1]
        gc.collect()
    return [len(source.releases) for source in sources]


alone, together = releases(1), releases(2)
verdict(alone == [1] and together != [1, 1], f"calls of the deleter: of one {alone}, of two {together}")
