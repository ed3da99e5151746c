"""Producers with one fault each in how they take arguments, refuse, and release."""

import ctypes
import enum

from exhibits import doubles


class Positional(doubles.Array):
    def __dlpack__(self, stream=None, **keywords):
        return super().__dlpack__(stream=stream, **keywords)


class BelowRange(doubles.Array):
    def __dlpack__(self, *, stream=None, **keywords):
        return super().__dlpack__(stream=None if stream == -2 else stream, **keywords)


NOTHING = object()


class ExplicitNoneMoves(doubles.Array):
    def __dlpack__(self, *, dl_device=NOTHING, **keywords):
        version = keywords.get("max_version") or (0, 0)
        if dl_device is None and keywords.get("copy") is None and isinstance(version, tuple):
            versioned = version[0] >= 1
            fields = {"flags": 2} if versioned else {}
            made = doubles.make_offer(self.order, "versioned" if versioned else "legacy", device=(3, 0), **fields)
            return made.capsule()
        return super().__dlpack__(dl_device=None if dl_device is NOTHING else dl_device, **keywords)


class NoEnums(doubles.Array):
    def __dlpack__(self, *, dl_device=None, **keywords):
        if dl_device and isinstance(dl_device[0], enum.Enum):
            raise TypeError("a plain number")
        return super().__dlpack__(dl_device=dl_device, **keywords)


class PinnedIsHost(doubles.Array):
    def __dlpack__(self, *, dl_device=None, **keywords):
        return super().__dlpack__(dl_device=None if dl_device == (3, 0) else dl_device, **keywords)


class EverythingBufferError(doubles.Array):
    def __dlpack__(self, *, dl_device=None, **keywords):
        if dl_device is not None and not isinstance(dl_device, tuple):
            raise BufferError("no such device")
        return super().__dlpack__(dl_device=dl_device, **keywords)


class AnyVersion(doubles.Array):
    def __dlpack__(self, *, max_version=None, **keywords):
        return super().__dlpack__(max_version=(1, 0) if max_version == "1.3" else max_version, **keywords)


class NoInt16(doubles.Array):
    def __dlpack__(self, **keywords):
        if self.order.dtype == "int16":
            raise BufferError("16 bits are too few")
        return super().__dlpack__(**keywords)


class NotYet(doubles.Array):
    """Knows the keywords, and does nothing for them yet."""

    def __dlpack__(self, **keywords):
        if keywords:
            raise NotImplementedError("not yet implemented")
        return super().__dlpack__()


class NoHalves(doubles.Array):
    def __dlpack__(self, **keywords):
        if self.order.dtype == "float16":
            raise RuntimeError("16 bits are too few")
        return super().__dlpack__(**keywords)


Careful = doubles.Array


class MarksNothing(doubles.Array):
    """Lets read-only data out where nothing says that it is."""

    fault = "read-only in legacy"


class OwnDeleter(doubles.Array):
    """Its exports hold the array, until their deleters release it."""

    fault_of_deleter = 0

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = doubles.Taken(capsule, rename=False)
        wrap = doubles.faulty_code().zoo_wrap_deleter
        wrap(ctypes.c_void_p(taken.address), taken.versioned, self.fault_of_deleter, ctypes.py_object(self))
        return capsule


class OneThread(OwnDeleter):
    """Its deleter gives the array back on the thread of the export alone."""

    fault_of_deleter = 1


class FailingDeleter(OwnDeleter):
    """Its deleter leaves an exception behind."""

    fault_of_deleter = 2


class FailingAsLastOwner(OwnDeleter):
    """Its deleter leaves an exception behind where the array is gone."""

    fault_of_deleter = 3


class FailingDestructor(doubles.Array):
    fault = "destructor clears error"


class NameOfTheArray(doubles.Array):
    """The capsule's name dies with the array."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        name = b"dltensor_versioned" if doubles.Taken(capsule, rename=False).versioned else b"dltensor"
        self.names = getattr(self, "names", {})
        if name not in self.names:
            self.names[name] = ctypes.create_string_buffer(name)
            doubles.KEPT.append(self.names[name])
        doubles.Taken.set_name(capsule, ctypes.cast(self.names[name], ctypes.c_char_p))
        return capsule

    def __del__(self):
        for name in getattr(self, "names", {}).values():
            name.value = b"gone"


class ShapeOfTheArray(doubles.Array):
    """The struct's shape dies with the array."""

    shape_place = None

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        self.shape_place = doubles.Taken(capsule, rename=False).tensor.shape
        return capsule

    def __del__(self):
        if self.shape_place:
            ctypes.c_int64.from_address(self.shape_place).value = 1


class MemoryOfTheArray(doubles.Array):
    """The elements die with the array."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        self.memory = doubles.native.look(capsule)["data"] if self.order.bytes and not self.order.readonly else None
        return capsule

    def __del__(self):
        if getattr(self, "memory", None) and any(offer.live_exports for offer in self.offers.values()):
            ctypes.memset(self.memory, 0, 4)


class SharedShape(doubles.Array):
    """A later export writes into the shape of the earlier one."""

    last = None

    def __dlpack__(self, **keywords):
        if self.last:
            ctypes.c_int64.from_address(self.last).value = 1
        capsule = super().__dlpack__(**keywords)
        self.last = doubles.Taken(capsule, rename=False).tensor.shape
        return capsule


class ShapeFollows(doubles.Array):
    """Setting the array's shape shows through its exports."""

    place = None

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        self.place = self.place or doubles.Taken(capsule, rename=False).tensor.shape
        return capsule

    @property
    def shape(self):
        return self.order.shape

    @shape.setter
    def shape(self, shape):
        (ctypes.c_int64 * len(shape)).from_address(self.place)[:] = shape


class OneCopy(doubles.Array):
    """Hands out one flagged copy again and again."""

    def copied(self, generation):
        held = self.__dict__.setdefault("copies", {})
        if generation not in held:
            flags = 2 if generation == "versioned" else 0
            held[generation] = doubles.make_offer(self.order, generation, flags=flags)
        return held[generation].capsule()


class LateCopy(doubles.Array):
    """Keeps a new copy for itself, and copies the next one from it."""

    copy = None

    def copied(self, generation):
        held = self.copy.contents() if self.copy else self.order.bytes
        self.copy = doubles.make_offer(
            self.order, generation, flags=2 if generation == "versioned" else 0, contents=held
        )
        return self.copy.capsule()


class Hidden:
    """An array without the two methods."""

    def __init__(self, array):
        self.array = array


class ByFunction(doubles.Producer):
    """The adapter of a library that exports by a function."""

    def make(self, order):
        return Hidden(super().make(order))

    def to_dlpack(self, hidden):
        return hidden.array.__dlpack__()

    def write(self, hidden, data):
        super().write(hidden.array, data)

    def contents(self, hidden):
        return super().contents(hidden.array)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("dtype.array-api-set", "producer", "NoInt16", "doubles.Array"),
    ("tensor.metadata-lifetime", "producer", "ShapeOfTheArray", "doubles.Array"),
    ("tensor.metadata-constant", "producer", "ShapeFollows", "doubles.Array"),
    ("tensor.metadata-constant", "producer", "SharedShape", "doubles.Array"),
    ("managed.deleter-any-thread", "producer", "OneThread", "OwnDeleter"),
    ("managed.deleter-no-pyerr", "producer", "FailingDeleter", "OwnDeleter"),
    ("managed.deleter-no-pyerr", "producer", "FailingAsLastOwner", "OwnDeleter"),
    ("managed.borrow", "producer", "MemoryOfTheArray", "doubles.Array"),
    ("flags.is-copied-exclusive", "producer", "LateCopy", "doubles.Array"),
    ("flags.is-copied-exclusive", "producer", "OneCopy", "doubles.Array"),
    ("capsule.names-static", "producer", "NameOfTheArray", "doubles.Array"),
    ("capsule.destructor-keeps-exception", "producer", "FailingDestructor", "doubles.Array"),
    ("python.keyword-only", "producer", "Positional", "doubles.Array"),
    ("python.max-version-type", "producer", "AnyVersion", "doubles.Array"),
    ("python.dl-device-none", "producer", "ExplicitNoneMoves", "doubles.Array"),
    ("python.dl-device-format", "producer", "NoEnums", "doubles.Array"),
    ("python.dl-device-honoured", "producer", "PinnedIsHost", "doubles.Array"),
    ("python.export-buffererror", "producer", "NoHalves", "doubles.Array"),
    ("python.other-errors", "producer", "EverythingBufferError", "doubles.Array"),
    ("stream.range", "producer", "BelowRange", "doubles.Array"),
)
