"""A client of libinfiniop.so and libinfinirt.so.

It loads them as InfiniOP's Python client does: both by full path, with local symbols. Functions are looked up in
libinfiniop first.
"""

import array
import ctypes
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
SUCCESS, INTERNAL_ERROR, NOT_IMPLEMENTED, BAD_PARAM, NULL_POINTER, DEVICE_TYPE_NOT_SUPPORTED = range(6)
BAD_TENSOR_DTYPE, BAD_TENSOR_SHAPE, BAD_TENSOR_STRIDES = 10, 11, 12

# Bytes per element, by dtype number; 0 is no dtype.
SIZES = (0, 1, 1, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 16, 2)
F32 = 13


def operator_names():
    """The functions of the operators that the library does not implement, from its table."""
    names = []
    forms = {
        "": ("Create{}Descriptor", "Get{}WorkspaceSize", "{}", "Destroy{}Descriptor"),
        "_NO_WORKSPACE": ("Create{}Descriptor", "{}", "Destroy{}Descriptor"),
        "_NO_DESTROY": ("Create{}Descriptor", "Get{}WorkspaceSize", "{}"),
    }
    with open(os.path.join(HERE, "operators.def"), encoding="utf-8") as file:
        text = file.read()
    for form, name in re.findall(r"^DLSPEC_INFINI_OPERATOR(\w*)\((\w+)\)", text, re.M):
        names += ["infiniop" + pattern.format(name) for pattern in forms[form]]
    return names + re.findall(r"^DLSPEC_INFINI_FUNCTION\((\w+)\)", text, re.M)


REARRANGE = ["infiniopCreateRearrangeDescriptor", "infiniopRearrange", "infiniopDestroyRearrangeDescriptor"]
CORE = [
    "infiniopCreateTensorDescriptor",
    "infiniopDestroyTensorDescriptor",
    "infiniopCreateHandle",
    "infiniopDestroyHandle",
]


def devices_without_support(folder):
    """Device numbers that libinfinirt.so refuses by type: GPUs, too, where libdlspec_cuda.so is not beside it."""
    first = 2 if os.path.exists(os.path.join(folder, "libdlspec_cuda.so")) else 1
    return [*range(first, 13), -1, 2**31 - 1]


class Library:
    """Calls return the status; prototypes convert their arguments."""

    PROTOTYPES = {
        "infiniopCreateHandle": "p",
        "infiniopDestroyHandle": "p",
        "infiniopCreateTensorDescriptor": "pNppi",
        "infiniopDestroyTensorDescriptor": "p",
        "infiniopCreateRearrangeDescriptor": "pppp",
        "infiniopRearrange": "pppp",
        "infiniopDestroyRearrangeDescriptor": "p",
        "infiniopGetDescriptorDeviceType": "pp",
        "infiniopGetDescriptorDeviceId": "pp",
        "dlspecInfiniopFromDLPackVersioned": "pppip",
        "dlspecInfiniopFromDLPack": "pppp",
        "dlspecInfiniopToDLPackVersioned": "ppipppp",
        "dlspecInfiniopToDLPack": "pppppp",
        "infinirtSetDevice": "ii",
        "infinirtGetDevice": "pp",
        "infinirtGetDeviceCount": "ip",
        "infinirtGetAllDeviceCount": "p",
        "infinirtInit": "",
        "infinirtDeviceSynchronize": "",
        "infinirtMalloc": "pN",
        "infinirtFree": "p",
        "infinirtMemcpy": "ppNi",
    }
    TYPES = {"p": ctypes.c_void_p, "N": ctypes.c_size_t, "i": ctypes.c_int}

    def __init__(self, folder):
        self.infinirt = ctypes.CDLL(os.path.join(folder, "libinfinirt.so"))
        self.infiniop = ctypes.CDLL(os.path.join(folder, "libinfiniop.so"))
        for name, letters in self.PROTOTYPES.items():
            function = self.find(name)
            function.restype = ctypes.c_int
            function.argtypes = [self.TYPES[letter] for letter in letters]
            setattr(self, name, function)

    def find(self, name):
        try:
            return getattr(self.infiniop, name)
        except AttributeError:
            return getattr(self.infinirt, name)


def out():
    return ctypes.c_void_p()


def sizes(numbers):
    return (ctypes.c_uint64 * len(numbers))(*[number % 2**64 for number in numbers])


def steps(numbers):
    return (ctypes.c_int64 * len(numbers))(*numbers)


def row_major(shape):
    strides, stride = [], 1
    for extent in reversed(shape):
        strides.insert(0, stride)
        stride *= max(extent, 1)
    return strides


def count_of(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def reach(shape, strides):
    """Offsets of the lowest and the highest element from element (0, ..., 0); (0, -1) without elements."""
    if 0 in shape:
        return 0, -1
    spans = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
    return sum(span for span in spans if span < 0), sum(span for span in spans if span > 0)


class Tensor:
    """Memory for a layout between two guards, as an array of words of the element size (of half of it for 16 bytes),
    `ahead` bytes after an aligned address."""

    GUARD = 8

    def __init__(self, shape, strides, size, seed, ahead=0):
        self.shape, self.strides, self.size = list(shape), list(strides), size
        self.words = 2 if size == 16 else 1
        low, high = reach(self.shape, self.strides)
        self.first = self.GUARD - low
        bytes_needed = (high - low + 1 + 2 * self.GUARD) * size
        period = bytes((7 * i * i + 13 * i + seed) % 251 for i in range(251))
        self.contents = (period * (bytes_needed // 251 + 1))[:bytes_needed]
        self.memory = ctypes.create_string_buffer(bytes_needed + 256)
        self.start = (ctypes.addressof(self.memory) + 127) // 128 * 128 + ahead
        ctypes.memmove(self.start, self.contents, bytes_needed)

    @property
    def data(self):
        return self.start + self.first * self.size

    def now(self):
        return self.as_words(ctypes.string_at(self.start, len(self.contents)))

    def as_words(self, contents):
        return array.array({1: "B", 2: "H", 4: "I", 8: "Q"}[self.size // self.words], contents)

    def rows(self, axis):
        """The start of each row along an axis, in elements, in the order of the other indices."""
        starts = [self.first]
        for other, (extent, stride) in enumerate(zip(self.shape, self.strides)):
            if other != axis:
                starts = [start + index * stride for start in starts for index in range(extent)]
        return starts


def rearranged(dst, src):
    """The expected contents of all of dst's memory after the copy."""
    expected, source = dst.as_words(dst.contents), src.as_words(src.contents)
    if 0 in dst.shape:
        return expected
    axis = max(range(len(dst.shape)), key=lambda i: dst.shape[i], default=None)
    extent = dst.shape[axis] if axis is not None else 1
    to_step = dst.strides[axis] if axis is not None else 1
    from_step = src.strides[axis] if axis is not None else 1
    for to, start in zip(dst.rows(axis), src.rows(axis)):
        for word in range(dst.words):
            values = gather(source, start * src.words + word, from_step * src.words, extent)
            scatter(expected, to * dst.words + word, to_step * dst.words, values)
    return expected


def gather(words, start, step, count):
    if step == 0:
        return words[start : start + 1] * count
    stop = start + count * step
    return words[start : None if stop < 0 else stop : step]


def scatter(words, start, step, values):
    if len(values) == 1:
        words[start] = values[0]
        return
    stop = start + len(values) * step
    words[start : None if stop < 0 else stop : step] = values
