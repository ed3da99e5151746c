"""Random layouts of copies, as models and array programs make them, for bench_rearrange.

    python3 bench/layouts.py SEED COUNT [FIRST] > cases.json    COUNT cases from number FIRST (0) on

`draw(seed, number)` gives one case in the form of rearrange_cases.json. It depends on seed and number alone, so that a
run can go on where it stopped and a slow case can be named.
"""

import json
import math
import random
import sys

ITEMS = {1: 3, 2: 4, 4: 6, 8: 3}  # bytes: weight
LEAST_BYTES, MOST_BYTES = 1 << 10, 64 << 20  # of payload
MOST_SPAN = 256 << 20  # bytes between the first and the last element of an operand

BATCHES = (1, 2, 3, 4, 8, 16)
CHANNELS = (1, 2, 3, 4, 8, 16, 31, 32, 64, 96, 128, 192, 256, 384, 512)
SIDES = (7, 8, 12, 14, 16, 17, 24, 28, 31, 32, 33, 48, 56, 64, 96, 112, 127, 128, 197, 224, 256)
HEADS = (1, 2, 4, 6, 8, 12, 14, 16, 32)
TOKENS = (12, 16, 49, 64, 77, 100, 128, 197, 256, 384, 512, 1024, 2048)
WIDTHS = (16, 20, 32, 40, 48, 64, 72, 80, 96, 128)
ANY = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 24, 31, 32, 33, 40, 63, 64, 65, 100, 128, 200, 256, 333, 512, 1000)

# The shapes in which arrays come, each axis drawn from its own list.
SHAPES = {
    "image": (BATCHES, CHANNELS, SIDES, SIDES),
    "channels last": (BATCHES, SIDES, SIDES, CHANNELS),
    "attention": (BATCHES, HEADS, TOKENS, WIDTHS),
    "packed heads": (BATCHES, TOKENS, (2, 3), HEADS, WIDTHS),
    "grouped heads": (BATCHES, (1, 2, 4, 8), (1, 2, 4, 8), TOKENS, WIDTHS),
    "windows": (BATCHES, (4, 7, 8, 14), (7, 8), (4, 7, 8, 14), (7, 8), CHANNELS),
    "matrix": (ANY + SIDES + TOKENS, ANY + SIDES + TOKENS),
    "cube": (ANY, ANY, ANY),
    "tensor": (ANY, ANY, ANY, ANY),
    "deep": ((2, 3, 4, 8), (2, 3, 4, 8), ANY, (2, 3, 4, 8), ANY),
}


def compact(shape):
    strides, step = [0] * len(shape), 1
    for axis in reversed(range(len(shape))):
        strides[axis] = step
        step *= shape[axis]
    return strides


def _scaled(shape, item, rng):
    """The shape with its long axes shrunk or grown to a payload drawn on a logarithmic scale."""
    wanted = math.exp(rng.uniform(math.log(LEAST_BYTES), math.log(MOST_BYTES))) / item
    shape = list(shape)
    for _ in range(64):
        count = math.prod(shape)
        if wanted / 2 <= count <= wanted * 2:
            break
        axis = rng.randrange(len(shape))
        if count > wanted:
            axis = max(range(len(shape)), key=lambda i: shape[i]) if rng.random() < 0.7 else axis
            shape[axis] = max(1, shape[axis] // 2)
        else:
            shape[axis] *= 2
    return shape


def _laid(shape, order):
    """The strides of an array whose axes lie in memory in this order, outermost first."""
    by_axis = dict(zip(order, compact([shape[axis] for axis in order])))
    return [by_axis[axis] for axis in range(len(shape))]


def _permuted(shape, rng):
    order = list(range(len(shape)))
    rng.shuffle(order)
    return _laid(shape, order)


def _sliced(shape, rng):
    """A slice of a larger array: some axes are a part of one, some have a step."""
    whole, steps = [], []
    for extent in shape:
        step = rng.choice((1, 1, 1, 2, 3, 4)) if rng.random() < 0.4 else 1
        margin = rng.choice((0, 1, 2, 8, extent)) if rng.random() < 0.5 else 0
        whole.append((extent - 1) * step + 1 + margin)
        steps.append(step)
    order = list(range(len(shape)))
    if rng.random() < 0.5:
        rng.shuffle(order)
    return [stride * step for stride, step in zip(_laid(whole, order), steps)]


def _stepped(shape, rng):
    """One axis with a step: the gather of a column, of a channel, of every n-th row."""
    axis, step = rng.randrange(len(shape)), rng.choice((2, 3, 4, 5, 6, 8, 12, 16, 31, 32, 64))
    whole = list(shape)
    whole[axis] *= step
    strides = compact(whole)
    strides[axis] *= step
    return strides


def _broadcast(shape, rng):
    axes = [axis for axis in range(len(shape)) if shape[axis] > 1 and rng.random() < 0.4] or [rng.randrange(len(shape))]
    rest = [1 if axis in axes else extent for axis, extent in enumerate(shape)]
    strides = compact(rest) if rng.random() < 0.7 else _permuted(rest, rng)
    return [0 if axis in axes else stride for axis, stride in enumerate(strides)]


def _flipped(shape, rng):
    strides = compact(shape) if rng.random() < 0.5 else _permuted(shape, rng)
    return [-stride if rng.random() < 0.4 else stride for stride in strides]


def _diagonal(shape, rng):
    """Two axes of the array are walked at once."""
    strides = compact(shape)
    axis = rng.randrange(len(shape))
    strides[axis] += rng.choice(compact(shape))
    return strides


def _overlapping(shape, rng):
    """Windows that overlap, as an im2col reads: two axes share their elements."""
    first = rng.randrange(len(shape) - 1)
    whole = [extent for axis, extent in enumerate(shape) if axis != first]
    whole[first] += shape[first]
    strides = compact(whole)
    return strides[: first + 1] + strides[first:]


# What an operand may be, and how often: a source may be anything, elements of a destination share no memory.
SOURCES = {
    _permuted: 8,
    _sliced: 4,
    _stepped: 3,
    _broadcast: 3,
    _flipped: 1,
    _diagonal: 1,
    _overlapping: 1,
}
DESTINATIONS = {_sliced: 2, _permuted: 1, _stepped: 2}


def _choice(table, rng):
    return rng.choices(list(table), weights=list(table.values()))[0]


def _fits(shape, strides, item):
    return sum((extent - 1) * abs(stride) for extent, stride in zip(shape, strides)) * item < MOST_SPAN


def _offset(shape, strides):
    return sum((extent - 1) * -stride for extent, stride in zip(shape, strides) if stride < 0)


def draw(seed, number):
    rng = random.Random(f"{seed}/{number}")
    while True:
        kind, item = rng.choice(list(SHAPES)), _choice(ITEMS, rng)
        shape = _scaled([rng.choice(extents) for extents in SHAPES[kind]], item, rng)
        read = _choice(SOURCES, rng)
        write = _choice(DESTINATIONS, rng) if rng.random() < 0.25 else None
        if write and rng.random() < 0.6:
            source = compact(shape)  # a scatter
        else:
            source = read(shape, rng)
        target = write(shape, rng) if write else compact(shape)
        count = math.prod(shape)
        usable = LEAST_BYTES <= count * item <= MOST_BYTES and source != target
        if usable and _fits(shape, source, item) and _fits(shape, target, item):
            break
    return {
        "name": f"{seed}/{number}",
        "class": f"{read.__name__[1:]}{', ' + write.__name__[1:] + ' destination' if write else ''}",
        "core": False,
        "item": item,
        "shape": shape,
        "to": target,
        "from": source,
        "to_offset": _offset(shape, target),
        "from_offset": _offset(shape, source),
    }


def main(arguments):
    try:
        seed, count, first = ([int(word) for word in arguments] + [0])[:3]
    except ValueError:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    json.dump({"cases": [draw(seed, first + number) for number in range(count)]}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
