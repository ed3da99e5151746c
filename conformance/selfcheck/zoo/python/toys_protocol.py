"""Toy producers with one fault each in how they take arguments, refuse, and release."""

import ctypes
import enum

import toys

KEPT = []  # what structs only have the address of


class Positional(toys.ToyArray):
    def __dlpack__(self, stream=None, **keywords):
        return super().__dlpack__(stream=stream, **keywords)


class BelowRange(toys.ToyArray):
    def __dlpack__(self, *, stream=None, **keywords):
        return super().__dlpack__(stream=None if stream == -2 else stream, **keywords)


NOTHING = object()


class ExplicitNoneMoves(toys.ToyArray):
    def __dlpack__(self, *, dl_device=NOTHING, **keywords):
        if dl_device is None:
            return toys.make_offer(self.order, "versioned", device=(3, 0)).capsule()
        return super().__dlpack__(dl_device=None if dl_device is NOTHING else dl_device, **keywords)


class NoEnums(toys.ToyArray):
    def __dlpack__(self, *, dl_device=None, **keywords):
        if dl_device and isinstance(dl_device[0], enum.Enum):
            raise TypeError("a plain number")
        return super().__dlpack__(dl_device=dl_device, **keywords)


class PinnedIsHost(toys.ToyArray):
    def __dlpack__(self, *, dl_device=None, **keywords):
        return super().__dlpack__(dl_device=None if dl_device == (3, 0) else dl_device, **keywords)


class EverythingBufferError(toys.ToyArray):
    def __dlpack__(self, *, dl_device=None, **keywords):
        if dl_device is not None and not isinstance(dl_device, tuple):
            raise BufferError("no such device")
        return super().__dlpack__(dl_device=dl_device, **keywords)


class AnyVersion(toys.ToyArray):
    def __dlpack__(self, *, max_version=None, **keywords):
        return super().__dlpack__(max_version=(1, 0) if max_version == "1.3" else max_version, **keywords)


class NoInt16(toys.ToyArray):
    def __dlpack__(self, **keywords):
        if self.order.dtype == "int16":
            raise BufferError("16 bits are too few")
        return super().__dlpack__(**keywords)


class NotYet(toys.ToyArray):
    """Knows the keywords, and does nothing for them yet."""

    def __dlpack__(self, **keywords):
        if keywords:
            raise NotImplementedError("not yet implemented")
        return super().__dlpack__()


class NoHalves(toys.ToyArray):
    def __dlpack__(self, **keywords):
        if self.order.dtype == "float16":
            raise RuntimeError("16 bits are too few")
        return super().__dlpack__(**keywords)


Careful = toys.ToyArray


class MarksNothing(toys.ToyArray):
    """Lets read-only data out where nothing says that it is."""

    fault = "read-only in legacy"


class OwnDeleter(toys.ToyArray):
    """Its exports hold the array, until their deleters give it back."""

    fault_of_deleter = 0

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = toys.Taken(capsule, rename=False)
        wrap = toys.faulty_code().zoo_wrap_deleter
        wrap(ctypes.c_void_p(taken.address), taken.versioned, self.fault_of_deleter, ctypes.py_object(self))
        return capsule


class OneThread(OwnDeleter):
    """Its deleter gives the array back on the thread of the export alone."""

    fault_of_deleter = 1


class FailingDeleter(OwnDeleter):
    """Its deleter leaves an exception behind."""

    fault_of_deleter = 2


class FailingDestructor(toys.ToyArray):
    fault = "destructor clears error"


class NameOfTheArray(toys.ToyArray):
    """The capsule's name dies with the array."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        name = b"dltensor_versioned" if toys.Taken(capsule, rename=False).versioned else b"dltensor"
        self.names = getattr(self, "names", {})
        if name not in self.names:
            self.names[name] = ctypes.create_string_buffer(name)
            KEPT.append(self.names[name])
        toys.Taken._api.PyCapsule_SetName(id(capsule), ctypes.cast(self.names[name], ctypes.c_char_p))
        return capsule

    def __del__(self):
        for name in getattr(self, "names", {}).values():
            name.value = b"gone"


class ShapeOfTheArray(toys.ToyArray):
    """The struct's shape dies with the array."""

    shape_place = None

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        self.shape_place = toys.Taken(capsule, rename=False).tensor_field(24)
        return capsule

    def __del__(self):
        if self.shape_place:
            ctypes.c_int64.from_address(self.shape_place).value = 1


class MemoryOfTheArray(toys.ToyArray):
    """The elements die with the array."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        self.memory = toys.native.look(capsule)["data"] if self.order.bytes and not self.order.readonly else None
        return capsule

    def __del__(self):
        if getattr(self, "memory", None) and any(offer.live_exports for offer in self.offers.values()):
            ctypes.memset(self.memory, 0, 4)


class SharedShape(toys.ToyArray):
    """A later export writes into the shape of the earlier one."""

    last = None

    def __dlpack__(self, **keywords):
        if self.last:
            ctypes.c_int64.from_address(self.last).value = 1
        capsule = super().__dlpack__(**keywords)
        self.last = toys.Taken(capsule, rename=False).tensor_field(24)
        return capsule


class ShapeFollows(toys.ToyArray):
    """Setting the array's shape shows through its exports."""

    place = None

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        self.place = self.place or toys.Taken(capsule, rename=False).tensor_field(24)
        return capsule

    @property
    def shape(self):
        return self.order.shape

    @shape.setter
    def shape(self, shape):
        (ctypes.c_int64 * len(shape)).from_address(self.place)[:] = shape


class OneCopy(toys.ToyArray):
    """Hands out one flagged copy again and again."""

    copy = None

    def copied(self, generation):
        self.copy = self.copy or toys.make_offer(self.order, generation, flags=2 if generation == "versioned" else 0)
        return self.copy.capsule()


class LateCopy(toys.ToyArray):
    """Keeps a new copy for itself, and copies the next one from it."""

    copy = None

    def copied(self, generation):
        held = self.copy.contents() if self.copy else self.order.bytes
        self.copy = toys.make_offer(self.order, generation, flags=2 if generation == "versioned" else 0, contents=held)
        return self.copy.capsule()


class Hidden:
    """An array without the two methods."""

    def __init__(self, array):
        self.array = array


class ByFunction(toys.Producer):
    """The adapter of a library that exports by a function."""

    def make(self, order):
        return Hidden(super().make(order))

    def to_dlpack(self, hidden):
        return hidden.array.__dlpack__()

    def write(self, hidden, data):
        super().write(hidden.array, data)

    def contents(self, hidden):
        return super().contents(hidden.array)
