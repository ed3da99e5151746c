"""The structs of dlpack.h over ctypes, capsules around them, and memory that elements lie in as a table says.

These subjects are written against the text of the standard: they share numbers with dlspec, and no code that judges.
"""

import ctypes
import itertools

from dlspec_worker.facts.dlpack import IS_COPIED, READ_ONLY
from dlspec_worker.facts.structs import DLManagedTensor as Legacy
from dlspec_worker.facts.structs import DLManagedTensorVersioned as Versioned

__all__ = ["IS_COPIED", "READ_ONLY", "Legacy", "Versioned"]

API = ctypes.PyDLL(None)
API.PyCapsule_New.restype = ctypes.py_object
API.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
for function in (API.PyCapsule_GetName, API.PyCapsule_GetPointer, API.PyCapsule_SetName, API.PyCapsule_SetDestructor):
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
API.PyCapsule_GetName.argtypes = [ctypes.c_void_p]
API.PyCapsule_GetName.restype = API.PyCapsule_GetPointer.restype = ctypes.c_void_p

FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
NAMES = {False: ctypes.create_string_buffer(b"dltensor"), True: ctypes.create_string_buffer(b"dltensor_versioned")}
USED = {
    False: ctypes.create_string_buffer(b"used_dltensor"),
    True: ctypes.create_string_buffer(b"used_dltensor_versioned"),
}
CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4, "complex": 5, "bool": 6}


def dtype_of(name):
    """(code, bits) of a dtype whose elements fill bytes; NotImplementedError for all others."""
    kind = name.rstrip("0123456789")
    bits = 8 if name == "bool" else int(name[len(kind) :] or 0)
    if kind not in CODES or bits not in (8, 16, 32, 64, 128):
        raise NotImplementedError(f"no {name}")
    return CODES[kind], bits


def row_major(shape):
    steps = list(itertools.accumulate(reversed(shape[1:]), lambda a, b: a * b, initial=1))
    return tuple(reversed(steps)) if shape else ()


def set_layout(tensor, shape, strides):
    """A tensor on the CPU with these lists, arrays of ctypes that the caller keeps."""
    tensor.device_type, tensor.device_id = 1, 0
    tensor.shape, tensor.strides = ctypes.addressof(shape), ctypes.addressof(strides)


def numbers_at(address, count):
    """A list of a DLTensor."""
    return tuple((ctypes.c_int64 * count).from_address(address)) if count else ()


class Memory:
    """Elements in C order at strides, in a block of their own with `before` bytes in front of all of them."""

    def __init__(self, data, size, shape, strides, before=0, shift=0):
        places = [sum(i * step for i, step in zip(index, strides)) for index in itertools.product(*map(range, shape))]
        low, high = min(places, default=0), max(places, default=0)
        self.begin = self.allocate(before + (high - low + 1) * size, shift)
        self.first = self.begin + before - low * size
        self.places = [self.first + place * size for place in places]
        self.size = size
        self.write(data)

    def allocate(self, length, shift):
        """The address of so many bytes, `shift` of them behind a multiple of 256."""
        self.block = ctypes.create_string_buffer(shift + 256 + length)
        return (ctypes.addressof(self.block) + 255) // 256 * 256 + shift

    def write(self, data):
        for number, place in enumerate(self.places):
            ctypes.memmove(place, data[number * self.size : (number + 1) * self.size], self.size)

    def read(self):
        return b"".join(ctypes.string_at(place, self.size) for place in self.places)


HELD = {}  # address of a managed struct -> what must live until its deleter was called


@FREE
def free(address):
    HELD.pop(address, None)


@FREE
def release_unconsumed(capsule):
    """A capsule's destructor: releases what nobody consumed. The object is dying, so that only its address is used."""
    try:
        name = API.PyCapsule_GetName(capsule)
    except ctypes.ArgumentError:  # ctypes takes an exception that was in flight for one of its own
        name = API.PyCapsule_GetName(capsule)
    for versioned in (False, True):
        if name and ctypes.string_at(name) == NAMES[versioned].value:
            address = API.PyCapsule_GetPointer(capsule, name)
            deleter = (Versioned if versioned else Legacy).from_address(address).deleter
            if deleter:
                FREE(deleter)(address)


@FREE
def free_unconsumed(capsule):
    """A destructor that gives the memory back itself, and needs no deleter for it."""
    try:
        name = API.PyCapsule_GetName(capsule)
    except ctypes.ArgumentError:
        name = API.PyCapsule_GetName(capsule)
    if name and not ctypes.string_at(name).startswith(b"used_"):
        HELD.pop(API.PyCapsule_GetPointer(capsule, name), None)


SHARED = {}  # address of a struct -> exports of it beyond the first


@FREE
def free_shared(address):
    if SHARED.get(address):
        SHARED[address] -= 1
    else:
        HELD.pop(address, None)


LATE = []  # addresses of released structs; the oldest are forgotten


@FREE
def free_later(address):
    LATE.append(address)


def capsule_of(managed, destructor=release_unconsumed):
    """A capsule of a managed struct; the caller has put what must live into HELD."""
    name = NAMES[isinstance(managed, Versioned)]
    pointer = ctypes.cast(destructor, ctypes.c_void_p) if destructor else None
    return API.PyCapsule_New(ctypes.addressof(managed), ctypes.addressof(name), pointer)


def address_of(capsule):
    """The address of the struct that an unconsumed capsule points to."""
    return API.PyCapsule_GetPointer(id(capsule), API.PyCapsule_GetName(id(capsule)))
