"""Toy libraries over dlspec's extension: a clean producer and consumer, and faults that they can be given."""

import ctypes
import types

import testing

native = testing.load_native()

class ToyArray:
    """A producer that keeps every rule, but for the faults in its class."""

    fault = ""

    def __init__(self, order):
        self.order = order
        self.held = bytearray(order.bytes)
        self.offers = {}
        self.stored = None

    # What a fault changes.

    def fields(self):
        changes = {
            "wrong bytes": {"contents": self.order.bytes[::-1]},
            "wrong dtype": {"dtype": "int32"},
            "wrong shape": {"shape": (4, 3), "strides": (3, 1)},
            "null strides": {"strides": None},
            "undefined flag": {"flags": 1 << 9},
            "major 0": {"version": (0, 0)},
            "empty with data": {"null_data": False},
        }
        return changes.get(self.fault, {})

    def offer(self, generation, **changes):
        if generation not in self.offers or changes:
            self.offers[generation] = make_offer(self.order, generation, **{**self.fields(), **changes})
        return self.offers[generation]

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if stream is not None and self.fault != "stream accepted":
            raise ValueError("host memory has no stream")
        if self.fault == "minus one accepted" and stream == -1:
            stream = None
        if dl_device not in (None, (1, 0)) and self.fault != "foreign device served":
            raise BufferError("no such device")
        return self.answer(max_version, copy)

    def answer(self, max_version, copy):
        versioned = max_version is not None and max_version[0] >= 1
        if self.fault == "versioned for none":
            versioned = True
        if self.fault == "future refused" and max_version and max_version[0] > 1:
            raise BufferError("no such version")
        if self.fault == "attribute error for 0.8" and max_version and max_version[0] == 0:
            raise AttributeError("no such method")
        generation = "versioned" if versioned else "legacy"
        if copy:
            return self.copied(generation)
        if self.fault == "copy=False copies" and copy is False:
            return make_offer(self.order, generation, flags=2 if versioned else 0).capsule()
        if self.fault == "copy=False runtime error" and copy is False:
            raise RuntimeError("cannot")
        if self.fault == "stored capsule":
            self.stored = self.stored or self.offer(generation).capsule()
            return self.stored
        name = {"no dlpack name": "tensor", "swapped name": "dltensor" if versioned else "dltensor_versioned"}
        capsule = self.offer(generation).capsule(name.get(self.fault))
        if self.fault == "references kept":
            KEPT.append(self)
        if self.fault in DESTRUCTORS:
            Taken.set_destructor(capsule, DESTRUCTORS[self.fault])
        return capsule

    def copied(self, generation):
        if self.fault == "copy refused":
            raise BufferError("no copies")
        if self.fault == "copy=True aliases":
            return self.offer(generation).capsule()
        flags = {"copy unflagged": 0, "copy read-only": 3}.get(self.fault, 2)
        return make_offer(self.order, generation, flags=flags if generation == "versioned" else 0).capsule()

    def __dlpack_device__(self):
        wrong = {"device none": (1, None), "device list": [1, 0], "other device": (2, 0)}
        return wrong.get(self.fault, (1, 0))


KEPT = []
# Destructors that a fault puts in the place of the capsule's own: none, and one that does nothing.
DESTRUCTORS = {"no destructor": None, "idle destructor": ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda capsule: None)}


def make_offer(order, generation, **changes):
    """An export as ordered."""
    from dlspec_worker import source

    trial = types.SimpleNamespace(order=order, native=native)
    return source.make_offer(trial, generation, **changes)


class Producer:
    """The adapter of a toy producer."""

    def __init__(self, fault="", base=ToyArray, standard="array-api"):
        self.kind = type("Toy", (base,), {"fault": fault})
        self.standard = standard
        self.fault = fault

    def make(self, order):
        return self.kind(order)

    def contents(self, array):
        """The memory of the array is that of its newest export, where there is one."""
        for offer in array.offers.values():
            if self.fault not in ("wrong bytes", "wrong dtype", "wrong shape"):
                array.held[:] = offer.contents()
        return bytes(array.held)


class Taken:
    """A managed struct that was taken out of its capsule, by its address.

    Through a private handle on the interpreter: a process has one ctypes.pythonapi, and it is not ours to configure.
    """

    _api = ctypes.PyDLL(None)
    _api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    _api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    _api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
    _api.PyCapsule_SetDestructor.argtypes = [ctypes.py_object, ctypes.c_void_p]
    _names = {"dltensor": (b"dltensor", b"used_dltensor", 56),
              "dltensor_versioned": (b"dltensor_versioned", b"used_dltensor_versioned", 16)}

    def __init__(self, capsule, name, rename):
        old, new, offset = self._names[name]
        self.address = self._api.PyCapsule_GetPointer(capsule, old)
        self.deleter = ctypes.c_void_p.from_address(self.address + offset).value
        if rename:
            self._api.PyCapsule_SetName(capsule, new)

    @classmethod
    def set_destructor(cls, capsule, function):
        cls._api.PyCapsule_SetDestructor(capsule, ctypes.cast(function, ctypes.c_void_p))

    def release(self):
        if self.deleter:
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.deleter)(self.address)


class ToyImport:
    """An imported array that takes over, reads through, and releases one capsule."""

    def __init__(self, capsule, fault):
        self.fault = fault
        look = native.look(capsule)
        if look["name"] not in Taken._names:
            raise BufferError("not a capsule of a tensor")
        if fault == "shape before version" and look["generation"] == "versioned" and look["version"][0] != 1:
            address = Taken(capsule, look["name"], rename=False).address
            code = ctypes.c_uint8.from_address(address + 52).value  # dl_tensor.dtype.code
            raise BufferError(f"another version, and dtype code {code}")
        if look["version"] and look["version"][0] != 1:
            raise BufferError("another major version")
        self.check(look, capsule)
        self.place = (look["data"] or 0) + look["byte_offset"]
        self.bytes = self.read(look, capsule)
        self.taken = Taken(capsule, look["name"], rename=fault != "not renamed")
        if fault == "released at once":
            self.taken.release()

    def check(self, look, capsule):
        if self.fault == "zero strides refused" and 0 in (look["strides"] or ()):
            raise BufferError("zero strides")
        if self.fault == "null refused" and look["data"] == 0:
            raise BufferError("no data")
        if any(each["verdict"] == "fail" for each in native.validate(capsule)):
            raise BufferError("a struct that breaks a rule")

    def read(self, look, capsule):
        data = native.contents(capsule)
        if self.fault == "byte_offset ignored" and look["byte_offset"]:
            return data[4:] + data[:4]
        if self.fault == "null strides misread" and look["strides"] is None:
            return data[::-1]
        return data

    def now(self):
        """What the memory shows: these two faults look at it after the release."""
        if self.fault in ("released at once", "not renamed"):
            return ctypes.string_at(self.place, len(self.bytes))
        return self.bytes

    def __del__(self):
        calls = {"never released": 0, "released at once": 0, "not renamed": 0, "released twice": 2}
        for _ in range(calls.get(self.fault, 1)):
            if hasattr(self, "taken"):
                self.taken.release()


class AnyImport:
    """What takes every capsule unseen."""

    def now(self):
        return b""


class Consumer:
    """The adapter of a toy consumer."""

    standard = "array-api"

    def __init__(self, fault=""):
        self.fault = fault

    def from_dlpack(self, source):
        capsule = self.ask(source)
        if self.fault == "any capsule taken":
            return AnyImport()
        if self.fault == "leaks when refusing":
            Taken(capsule, native.look(capsule)["name"], rename=True)
            raise BufferError("taken, not released")
        return ToyImport(capsule, self.fault)

    def ask(self, source):
        if self.fault == "legacy only":
            return source.__dlpack__()
        if self.fault == "no retry":
            return source.__dlpack__(max_version=(1, 3))
        try:
            return source.__dlpack__(max_version=(1, 3), copy=None)
        except TypeError:
            return source.__dlpack__()

    def contents(self, array):
        return array.now()
