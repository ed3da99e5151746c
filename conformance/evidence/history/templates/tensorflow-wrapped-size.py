"""A tensor whose size is 0 in 64 bits is imported and never released."""

import gc


def releases(shape):
    source = Source(shape=shape, strides=(1, 1))
    array, refusal = attempt(lambda: tensorflow.experimental.dlpack.from_dlpack(source.__dlpack__()))
    del array
    gc.collect()
    return len(source.releases), refusal


ordinary, wrapped = releases((1, 4)), releases((1, 1 << 62))
seen = f"calls of the deleter: 4 elements {ordinary[0]}, 2**62 elements {wrapped[0]}"
verdict(ordinary[0] == 1 and wrapped == (0, None), f"{seen}, {wrapped[1] or 'imported'}")
