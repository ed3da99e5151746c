"""Consumers that refuse much, or refuse it in unusual ways, and adapters that give little: one row each."""

import structs
from consumers import Adapter, Import, Taken

REFUSED = "dlpack.h, DLManagedTensor: nobody is obliged to import; what is refused stays the exporter's"
CONTRACT = "adapters: every function is optional, and any exception refuses"


class Refusal(ValueError, BufferError):
    """An exception of two families, without a message."""

    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


class Refuses(Adapter):
    """Refuses what `refuses` says by the exception `error`."""

    def __init__(self, refuses, error=BufferError, **rest):
        super().__init__(**rest)
        self.says, self.error = refuses, error

    def from_dlpack(self, source, *, device=None, copy=None):
        if device is not None:
            raise ValueError("no such device")
        if source.__dlpack_device__()[0] != 1:
            raise BufferError("not in host memory")
        taken = self.took(self.capsule_of(source, copy))
        if self.says(taken):
            raise self.refusal(taken)
        return self.kind(taken, {**self.odd, "copies": True} if copy else self.odd)

    def took(self, capsule):
        return Taken(capsule, self.odd)

    def refusal(self, taken):
        return self.error("not this one")


class HoldsCapsule(Refuses):
    """Its exceptions hold what they refused."""

    def refusal(self, taken):
        return BufferError("not this one", taken.capsule)


class TakesFirst(Refuses):
    """Takes a tensor before it looks; what it refuses it releases when the exception goes."""

    class Refusal(BufferError):
        def __del__(self):
            self.args[1].release()

    def refusal(self, taken):
        taken.consume()
        return self.Refusal("not this one", taken)


class Versioned(Refuses):
    """Refuses legacy capsules before it reads them."""

    def took(self, capsule):
        name = structs.ctypes.string_at(structs.API.PyCapsule_GetName(id(capsule)))
        if name != b"dltensor_versioned":
            raise BufferError("no legacy capsules")
        return super().took(capsule)


class Bare:
    """from_dlpack, and what else is named."""

    def __init__(self, inner, *names):
        for name in ("from_dlpack", *names):
            setattr(self, name, getattr(inner, name))


class Normal(Adapter):
    """Can also show a copy."""

    reader = "Import.contents"

    def normalised(self, imported):
        return bytes(bytearray(imported.contents()))

    def version(self):
        return 3.14


class Images(Refuses):
    """Images of bytes, and it says so."""

    dtypes, max_rank = ("uint8",), 3


class Frozen(Import):
    """Nothing can be set, and nothing written."""

    __slots__ = ()

    def write(self, data):
        raise AttributeError("no such thing")


def null_strides(taken):
    tensor = taken.managed.tensor
    return tensor.ndim > 0 and not tensor.strides


ROWS = {
    "NULL strides are refused in 1.2 and later": (
        Refuses(lambda taken: null_strides(taken) and taken.versioned and taken.managed.minor >= 2),
        "dlpack.h 1.2, DLTensor.strides: must not be NULL",
    ),
    "offsets are refused": (Refuses(lambda taken: taken.managed.tensor.byte_offset, NotImplementedError), REFUSED),
    "misaligned elements are refused": (Refuses(lambda taken: taken.first % taken.size, OverflowError), REFUSED),
    "strided tensors are a RuntimeError": (Refuses(lambda taken: not taken.is_compact(), RuntimeError), REFUSED),
    "scalars are an IndexError": (Refuses(lambda taken: not taken.shape, IndexError), REFUSED),
    "copies are refused": (Refuses(lambda taken: taken.flags & structs.IS_COPIED), REFUSED),
    "unknown flags are refused": (
        Refuses(lambda taken: taken.flags >> 3),
        "dlpack.h: of unknown flags nothing is said",
    ),
    "legacy tensors are refused": (Versioned(lambda taken: False), "array API, max_version: look at what came"),
    "refusals of two families, without words": (Refuses(lambda taken: len(taken.shape) > 1, Refusal), REFUSED),
    "refusals that hold the capsule": (HoldsCapsule(lambda taken: len(taken.shape) > 1), REFUSED),
    "refusals that release when they go": (
        TakesFirst(lambda taken: len(taken.shape) > 1),
        "dlpack.h, DLManagedTensor: released when it is no longer needed",
    ),
    "everything is a MemoryError": (Refuses(lambda taken: True, MemoryError), REFUSED),
    "from_dlpack alone": (Bare(Adapter()), CONTRACT),
    "from_dlpack and contents alone": (Bare(Adapter(), "contents"), CONTRACT),
    "a copy to read, and a strange version": (Normal(), CONTRACT),
    "images of bytes, and it says so": (
        Images(lambda taken: taken.dtype != "uint8" or len(taken.shape) != 3),
        CONTRACT,
    ),
    "frozen imports": (Adapter(Frozen), REFUSED),
}
