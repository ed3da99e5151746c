"""The test double of a producer: it keeps every rule, but for the fault that it is given by name."""

import ctypes
import enum

from exhibits.double_fixtures import DESTRUCTORS, KEPT, Taken, make_offer, native, set_destructor


class Array:
    """An array that exports itself and keeps every rule, but for the fault that its class names."""

    fault = ""
    shows_exports = True  # the memory of the array is that of its exports

    def __init__(self, order):
        self.order = order
        self.held = bytearray(order.bytes)
        self.offers = {}
        self.stored = None
        self.asked = 0
        self.lost = [self] * 100 if self.fault == "references lost" else []

    # What a fault changes.

    def fields(self):
        changes = {
            "wrong bytes": {"contents": self.order.bytes[::-1]},
            "wrong dtype": {"dtype": {"float32": "int32"}.get(self.order.dtype, self.order.dtype)},
            "wrong shape": {"shape": (4, 3), "strides": (3, 1)},
            "null strides": {"strides": None},
            "undefined flag": {"flags": 1 << 9 | self.order.readonly},
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
        if dl_device is not None and dl_device == self.said():
            dl_device = (1, 0)
        check_arguments(max_version, dl_device)
        if self.fault == "minus one accepted" and stream == -1:
            stream = None
        if dl_device not in (None, (1, 0)) and self.fault != "foreign device served":
            raise RuntimeError("no") if self.fault == "foreign device runtime error" else BufferError("no such device")
        if dl_device is not None and copy is None:
            self.own_device()
            if self.fault == "own device copied":
                return make_offer(self.order, "versioned" if (max_version or (0, 0))[0] >= 1 else "legacy").capsule()
        return self.answer(max_version, copy)

    def own_device(self):
        if self.fault == "own device refused":
            raise BufferError("no dl_device at all")
        if self.fault == "own device moved":
            self.offers = {kind: make_offer(self.order, kind, device=(3, 0)) for kind in ("legacy", "versioned")}

    def answer(self, max_version, copy):
        versioned = max_version is not None and max_version[0] >= 1
        if (self.fault, max_version) in (("versioned for none", None), ("versioned for 0.8", (0, 8))):
            versioned = True
        if self.fault == "future refused" and max_version and max_version[0] > 1:
            raise BufferError("no such version")
        if self.fault == "attribute error for 0.8" and max_version and max_version[0] == 0:
            raise AttributeError("no such method")
        if self.fault == "legacy for 1.0" and max_version == (1, 0):
            versioned = False
        generation = "versioned" if versioned else "legacy"
        if self.order.readonly and not versioned and self.fault != "read-only in legacy":
            raise BufferError("a legacy capsule cannot say that it is read-only")
        if copy:
            return self.copied(generation)
        if self.fault == "needless copy" and copy is None:
            return make_offer(self.order, generation, flags=2 if versioned else 0).capsule()
        if self.fault == "copy=False copies" and copy is False:
            return make_offer(self.order, generation, flags=2 if versioned else 0).capsule()
        if self.fault == "copy=False runtime error" and copy is False:
            raise RuntimeError("cannot")
        if self.fault == "stored capsule":
            self.stored = self.stored or self.offer(generation).capsule()
            return self.stored
        name = {
            "no dlpack name": "tensor",
            f"{generation} misnamed": "tensor",
            "swapped name": "dltensor" if versioned else "dltensor_versioned",
        }
        capsule = self.offer(generation).capsule(name.get(self.fault))
        if self.fault == "references kept":
            KEPT.append(self)
        del self.lost[-1:]
        if self.fault == "major 0" and generation == "versioned":
            Taken(capsule, rename=False).struct.major = 0
        if self.fault == "byte strides":
            multiply_strides(Taken(capsule, rename=False).tensor)
        if self.fault == "destructor clears memory" and self.offer(generation).live_exports < 2:
            return capsule  # nobody else is there to be disturbed
        if self.fault in DESTRUCTORS:
            set_destructor(capsule, self.fault)
        return capsule

    def copied(self, generation):
        if self.fault == "copy refused":
            raise BufferError("no copies")
        if self.fault == "copy=True aliases":
            return self.offer(generation).capsule()
        flags = {"copy unflagged": 0, "copy read-only": 3}.get(self.fault, 2)
        flags = flags if generation == "versioned" else 0
        return make_offer(self.order, generation, flags=flags, **self.of_copies()).capsule()

    def of_copies(self):
        """The fields of a copy that are not the array's own."""
        return {"contents": self.order.bytes[::-1]} if self.fault == "copy differs" else {}

    def __dlpack_device__(self):
        self.asked += 1
        return self.said()

    def said(self):
        """The answer of __dlpack_device__."""
        wrong = {
            "device none": (1, None),
            "device list": [1, 0],
            "other device": (2, 0),
            "device enum": (Device.CPU, 0),
            "device changes": (1, self.asked - 1),
        }
        return wrong.get(self.fault, (1, 0))


def multiply_strides(tensor):
    """Counts the strides of a DLTensor in bytes, where the elements are compact."""
    for place in range(tensor.strides, tensor.strides + 8 * tensor.ndim, 8):
        ctypes.c_int64.from_address(place).value *= max(1, tensor.bits * tensor.lanes // 8)


class Device(enum.Enum):
    CPU = 1


def check_arguments(max_version, dl_device):
    """TypeError for what is no pair of integers."""
    for name, given in (("max_version", max_version), ("dl_device", dl_device)):
        if given is not None and not (isinstance(given, tuple) and [isinstance(i, int) for i in given] == [True] * 2):
            raise TypeError(f"{name} is a tuple of two integers")


class Refused(Array):
    """An array that DLPack has no form for."""

    def __dlpack__(self, **keywords):
        raise BufferError("DLPack has no form for it")


class Producer:
    """The adapter of an array class: a library that makes such arrays."""

    def __init__(self, fault="", base=Array, standard="array-api"):
        self.kind = type("Named", (base,), {"fault": fault} if fault else {})
        self.standard = standard
        self.fault = self.kind.fault

    def make(self, order):
        return self.kind(order)

    def odd(self, kind, order):
        return Refused(order)

    def write(self, array, data):
        if array.order.readonly or (self.fault == "locked by the export" and array.offers):
            raise ValueError("read-only")
        array.held[:] = data
        for offer in array.offers.values():
            native.overwrite(offer.capsule(), data)

    def contents(self, array):
        """The memory of the array is that of its newest export, where there is one."""
        if self.fault == "export alters" and array.offers:
            return bytes(array.held[::-1])
        for offer in array.offers.values() if array.shows_exports else ():
            if self.fault not in ("wrong bytes", "wrong dtype", "wrong shape"):
                array.held[:] = offer.contents()
        return bytes(array.held)
