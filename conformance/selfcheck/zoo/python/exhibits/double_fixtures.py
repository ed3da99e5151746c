"""What the test doubles share: dlspec's extension, exports as ordered, and the structs inside capsules."""

import ctypes
import functools
import os
import types

from dlspec_worker.channel import loading
from dlspec_worker.facts import elements
from dlspec_worker.facts.elements import row_major
from dlspec_worker.facts.structs import DLManagedTensor, DLManagedTensorVersioned
from dlspec_worker.imports import offers

__all__ = ["DESTRUCTORS", "KEPT", "Taken", "faulty_code", "keep", "make_offer", "native", "one_to_a_byte", "row_major"]
__all__ += ["set_deleter", "set_destructor"]

native = loading.load_native(os.environ["DLSPEC_NATIVE"])
KEPT = []  # objects that structs have only the address of: they live as long as the process
FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # a deleter: it takes the address of the managed struct


def make_offer(order, generation, **changes):
    """An export as ordered."""
    trial = types.SimpleNamespace(order=order, native=native)
    return offers.make_offer(trial, generation, **changes)


def keep(data):
    """The address of a copy of these bytes, with 64 bytes of zeros behind it, that is never freed."""
    array = ctypes.create_string_buffer(data, len(data) + 64)
    KEPT.append(array)
    return ctypes.addressof(array)


def one_to_a_byte(order):
    """The memory of an array of elements narrower than a byte, each in a byte of its own, at the array's strides."""
    strides = order.strides or row_major(order.shape)
    numbers = elements.split(order.bytes, elements.bits_of(order.dtype), elements.count_of(order))
    places = list(elements.places(order.shape, strides))
    memory = bytearray(max(places, default=-1) + 1)
    for place, number in zip(places, numbers):
        memory[place] = number
    return bytes(memory)


class Taken:
    """The managed struct of a capsule, which is renamed as a consumer renames it unless told otherwise.

    Through a private handle on the interpreter: a process has one ctypes.pythonapi, and it is not ours to configure.
    """

    _api = ctypes.PyDLL(None)
    _api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    _api.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    _api.PyCapsule_GetName.restype = ctypes.c_char_p
    _api.PyCapsule_GetName.argtypes = [ctypes.c_void_p]
    _api.PyCapsule_SetName.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    _api.PyCapsule_SetDestructor.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    # A capsule keeps only the addresses of these names.
    _used = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}

    def __init__(self, capsule, rename=True):
        """`capsule`: the object, or its address where it is being destroyed."""
        place = capsule if isinstance(capsule, int) else id(capsule)
        name = self._api.PyCapsule_GetName(place)
        self.is_used = name.startswith(b"used_")
        self.address = self._api.PyCapsule_GetPointer(place, name)
        # Under a foreign name: a legacy struct begins with a pointer, the other with its major version.
        begins = ctypes.c_uint64.from_address(self.address).value & 0xFFFFFFFF
        is_version = begins < 256 or begins == 0xFFFFFFFF
        self.versioned = {b"dltensor": False, b"used_dltensor": False}.get(name, is_version)
        self.deleter = self.struct.deleter
        if rename:
            self._api.PyCapsule_SetName(place, self._used[name])

    @property
    def kind(self):
        """The ctypes class of the managed struct."""
        return DLManagedTensorVersioned if self.versioned else DLManagedTensor

    @property
    def struct(self):
        """The managed struct where it lies: reads and writes go to its memory."""
        return self.kind.from_address(self.address)

    @property
    def tensor(self):
        """The DLTensor in the managed struct."""
        return self.struct.tensor

    def raw(self):
        """The bytes of the managed struct."""
        return ctypes.string_at(self.address, ctypes.sizeof(self.kind))

    @classmethod
    def set_name(cls, capsule, name):
        """`name`: bytes that outlive the capsule."""
        cls._api.PyCapsule_SetName(id(capsule), name)

    @classmethod
    def set_destructor(cls, capsule, function):
        cls._api.PyCapsule_SetDestructor(id(capsule), ctypes.cast(function, ctypes.c_void_p))

    def release(self, address=None):
        """Calls the deleter that the struct had when it was taken, with the struct's address or this one."""
        if self.deleter:
            FREE(self.deleter)(address or self.address)


def set_deleter(capsule, act):
    """Puts `act` in the place of the struct's deleter; it is given the struct's address and the old deleter."""
    taken = Taken(capsule, rename=False)
    old = FREE(taken.deleter)
    new = FREE(lambda address: act(address, old))
    KEPT.append((old, new))
    taken.struct.deleter = ctypes.cast(new, ctypes.c_void_p).value
    return capsule


@functools.cache
def faulty_code():
    """The zoo's native part: destructors and deleters that Python code could not be."""
    return ctypes.PyDLL(library("zoo.so"))


def library(name):
    """A library of the zoo: beside the folder of the package; in a wheel, in the package itself."""
    package = os.path.dirname(os.environ["DLSPEC_NATIVE"])
    in_wheel = os.path.join(package, "lib", "dlspec", name)
    return in_wheel if os.path.exists(in_wheel) else os.path.join(package, "..", "..", "dlspec", name)


# Destructors that a fault puts in the place of the capsule's own.
DESTRUCTORS = {
    "no destructor": None,
    "idle destructor": "zoo_destructor_idle",
    "destructor releases used": "zoo_destructor_releases_used",
    "destructor releases twice": "zoo_destructor_releases_twice",
    "destructor clears memory": "zoo_destructor_clears_memory",
    "destructor clears error": "zoo_destructor_clears_error",
    "destructor leaves memory": "zoo_destructor_leaves_memory",
    "destructor frees used": "zoo_destructor_frees_used",
}


def set_destructor(capsule, fault):
    name = DESTRUCTORS[fault]
    Taken.set_destructor(capsule, getattr(faulty_code(), name) if name else None)
