"""Copies within one buffer: refused if, and only if, NumPy's exact solver finds that the views share memory.

Usage: overlap_test.py FOLDER [PAIRS [SEED]]    (2,000 pairs; a hundred thousand take a minute)
Exit status 77 where NumPy is not installed.
"""

import ctypes
import random
import sys
import time

import client

try:
    import numpy
except ImportError:
    sys.exit(77)

DTYPES = {1: 7, 2: 8, 4: 13, 8: 14}  # bytes per element -> dtype number of InfiniOP
LONGEST_BUFFER = 10_000_000


def extents(rank, draw):
    """At most LONGEST_BUFFER elements, mostly far fewer."""
    most = draw.choice((3, 5, 12, 40))
    shape = [draw.randint(1, most) for _ in range(rank)]
    while numpy.prod(shape, dtype=object) > LONGEST_BUFFER:
        shape[draw.randrange(rank)] = 1
    return shape


def halves(base, draw):
    """Two slices of one array with the same steps, apart on one axis: what users copy."""
    axis = draw.randrange(base.ndim)
    extent = base.shape[axis]
    step = draw.choice((1, 1, 2, 3, -1))
    length = draw.randint(1, max(1, extent // 2))
    places = [draw.randint(0, extent - length) for _ in range(2)]
    views = []
    for place in places:
        index = [slice(None)] * base.ndim
        index[axis] = slice(place, place + length)
        views.append(base[tuple(index)])
    order = draw.sample(range(base.ndim), base.ndim) if draw.random() < 0.5 else range(base.ndim)
    other = draw.randrange(base.ndim)
    index = tuple(slice(None, None, step) if each == other else slice(None) for each in range(base.ndim))
    return [view.transpose(order)[index] for view in views]


def strided(base, draw):
    """Two views of one shape with steps of their own on each axis of one flat buffer."""
    flat = base.reshape(-1)
    shape = [draw.randint(1, 4) for _ in range(draw.randint(1, 4))]
    views = []
    for _ in range(2):
        steps = [draw.choice((-1, 1)) * draw.randint(1, 40) for _ in shape]
        low = sum(min(0, step * (extent - 1)) for step, extent in zip(steps, shape))
        high = sum(max(0, step * (extent - 1)) for step, extent in zip(steps, shape))
        if high - low >= flat.size:
            return None
        begin = draw.randint(-low, flat.size - 1 - high)
        item = flat.itemsize
        views.append(
            numpy.lib.stride_tricks.as_strided(flat[begin:], shape, [step * item for step in steps], writeable=True)
        )
    return views


class Copier:
    def __init__(self, folder):
        self.library = client.Library(folder)
        self.handle = ctypes.c_void_p()
        assert self.library.infiniopCreateHandle(ctypes.byref(self.handle)) == client.SUCCESS
        self.seconds = []

    def descriptor(self, view):
        made = ctypes.c_void_p()
        sizes = (ctypes.c_size_t * view.ndim)(*view.shape)
        steps = (ctypes.c_ssize_t * view.ndim)(*(stride // view.itemsize for stride in view.strides))
        status = self.library.infiniopCreateTensorDescriptor(
            ctypes.byref(made), view.ndim, sizes, steps, DTYPES[view.itemsize]
        )
        assert status == client.SUCCESS
        return made

    def copies(self, to, source):
        """Whether the copy is carried out; None where the destination itself overlaps."""
        descriptors = [self.descriptor(view) for view in (to, source)]
        made = ctypes.c_void_p()
        status = self.library.infiniopCreateRearrangeDescriptor(self.handle, ctypes.byref(made), *descriptors)
        answer = None
        if status == client.SUCCESS:
            begin = time.perf_counter()
            status = self.library.infiniopRearrange(made, to.ctypes.data, source.ctypes.data, None)
            self.seconds.append(time.perf_counter() - begin)
            answer = status == client.SUCCESS
            self.library.infiniopDestroyRearrangeDescriptor(made)
        for each in descriptors:
            self.library.infiniopDestroyTensorDescriptor(each)
        return answer


def is_same_view(one, other):
    """Where every element is copied onto itself, which is allowed. Strides of axes of one element say nothing."""
    steps = [[step for step, extent in zip(view.strides, view.shape) if extent > 1] for view in (one, other)]
    return one.ctypes.data == other.ctypes.data and steps[0] == steps[1]


def main(folder, pairs=2000, seed=1):
    copier = Copier(folder)
    draw = random.Random(int(seed))
    counts = {True: 0, False: 0}
    for number in range(int(pairs)):
        item = draw.choice(list(DTYPES))
        base = numpy.zeros(extents(draw.randint(1, 6), draw), f"V{item}")
        views = (halves if draw.random() < 0.6 else strided)(base, draw)
        if views is None or is_same_view(*views):
            continue
        answer = copier.copies(*views)
        if answer is None:
            continue
        share = numpy.shares_memory(*views)
        counts[share] += 1
        if answer == share:
            to, source = (
                f"{view.shape} strides {view.strides} at {view.ctypes.data - base.ctypes.data}" for view in views
            )
            said = "copies" if answer else "refuses"
            print(f"pair {number} of seed {seed}, {item} bytes: dlspec {said} to {to} from {source}", file=sys.stderr)
            return 1
    print(f"{counts[True]} pairs that share memory are refused, {counts[False]} that share none are copied")
    return 0 if min(counts.values()) > int(pairs) // 10 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
