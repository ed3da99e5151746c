"""A small array library in Python and ctypes, which conforms. The fakes beside it change one member of it each.

Its exports are faulty only in a certain succession of calls, so that only sequences can show it.
"""

import ctypes
import itertools
import pathlib
import sys

# By itself, without the worker: reproducers load these libraries alone.
CONFORMANCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(CONFORMANCE / "worker" / "python" / "dlspec_worker" / "facts"))

from structs import DLManagedTensor, DLManagedTensorVersioned, DLTensor  # noqa: E402

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
api = ctypes.PyDLL(None)
new_capsule = api["PyCapsule_New"]
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
is_valid = api["PyCapsule_IsValid"]
is_valid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
pointer_of = api["PyCapsule_GetPointer"]
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]

DTYPES = {"float32": (2, 32), "float64": (2, 64), "uint8": (1, 8), "int16": (0, 16), "int64": (0, 64)}
LEGACY, VERSIONED = b"dltensor", b"dltensor_versioned"


class Memory:
    """Bytes of the C heap."""

    def __init__(self, size):
        self.address = libc.malloc(max(size, 1))

    def __del__(self):
        libc.free(self.address)


class Export:
    """A struct with its shape and strides in one block, and what it keeps alive."""

    live = {}  # by the struct's address, the newest last

    def __init__(self, array, kind, flags):
        self.array_memory = array.memory
        rank = len(array.shape)
        self.block = Memory(ctypes.sizeof(kind) + 16 * rank)
        self.struct = kind.from_address(self.block.address)
        lists = self.lists(self.block.address + ctypes.sizeof(kind), rank)
        (ctypes.c_int64 * (2 * rank)).from_address(lists)[:] = [*array.shape, *array.strides]
        code, bits = DTYPES[array.dtype]
        self.struct.tensor = DLTensor(
            array.memory.address, 1, 0, rank, code, bits, 1, lists, lists + 8 * rank, array.offset
        )
        self.struct.manager_ctx, self.struct.deleter = 0, ctypes.cast(delete, ctypes.c_void_p).value
        if kind is DLManagedTensorVersioned:
            self.struct.major, self.struct.minor = 1, 3
            self.struct.flags = flags | bool(array.readonly)
        Export.live[self.block.address] = self

    @staticmethod
    def lists(address, rank):
        """Where shape and strides are kept."""
        return address

    @classmethod
    def release(cls, address):
        Export.live.pop(address, None)


library = {"export": Export}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def delete(address):
    library["export"].release(address)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def destroy(capsule):
    for name, kind in ((LEGACY, DLManagedTensor), (VERSIONED, DLManagedTensorVersioned)):
        if is_valid(capsule, name):
            address = pointer_of(capsule, name)
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(kind.from_address(address).deleter)(address)


class Array:
    def __init__(self, dtype, shape, strides, offset, readonly):
        self.dtype, self.shape, self.strides, self.readonly = dtype, tuple(shape), tuple(strides), readonly
        self.width = DTYPES[dtype][1] // 8
        self.offset = offset * self.width
        reach = [offset + sum(map(lambda i, s: i * s, index, self.strides)) for index in self.indices()]
        self.memory = Memory((max(reach, default=0) + 1) * self.width)

    def indices(self):
        return itertools.product(*map(range, self.shape))

    def places(self):
        first = self.memory.address + self.offset
        return [first + self.width * sum(map(lambda i, s: i * s, index, self.strides)) for index in self.indices()]

    def read(self):
        return b"".join(ctypes.string_at(place, self.width) for place in self.places())

    def write(self, data):
        if self.readonly:
            raise ValueError("the array is read-only")
        self.store(data)

    def store(self, data):
        for n, place in enumerate(self.places()):
            ctypes.memmove(place, data[n * self.width : (n + 1) * self.width], self.width)

    def copied(self):
        steps = [*itertools.accumulate(reversed(self.shape[1:]), lambda a, b: a * b, initial=1)][::-1]
        copy = type(self)(self.dtype, self.shape, steps[: len(self.shape)], 0, False)
        copy.store(self.read())
        return copy

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if stream is not None:
            raise ValueError("host memory has no stream")
        if dl_device not in (None, (1, 0)):
            raise BufferError("the array lies on the CPU")
        versioned = max_version is not None and max_version[0] >= 1
        if self.readonly and not versioned and not copy:
            raise BufferError("a legacy capsule cannot say that it is read-only")
        shown = self.copied() if copy else self
        kind = DLManagedTensorVersioned if versioned else DLManagedTensor
        made = library["export"](shown, kind, 2 if copy else 0)
        return new_capsule(
            made.block.address, VERSIONED if versioned else LEGACY, ctypes.cast(destroy, ctypes.c_void_p)
        )

    def __dlpack_device__(self):
        return (1, 0)


# The adapter; `array_type` is what a fake replaces.
array_type = [Array]


def make(spec):
    if spec.dtype not in DTYPES:
        raise NotImplementedError(f"no {spec.dtype}")
    steps = spec.strides
    if steps is None:
        steps = [*itertools.accumulate(reversed(spec.shape[1:]), lambda a, b: a * b, initial=1)][::-1][
            : len(spec.shape)
        ]
    array = array_type[0](spec.dtype, spec.shape, steps, spec.offset, False)
    array.store(spec.bytes)
    array.readonly = spec.readonly
    return array


def contents(array):
    return array.read()


def write(array, data):
    array.write(data)


def version():
    return "1.0"
