"""Toy consumers that misread one thing in the struct, and producers that name one dtype wrongly."""

import ctypes
import struct

import toys

OPENCL, EXTENSION, HANDLES = 4, 12, (4, 7, 8, 15)


# --- dtypes


class ExportsItsDtype(toys.ToyImport):
    """Clean: goes on to others under the dtype that it came with."""

    def spoken(self, name):
        return name

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        name = self.spoken(self.look["dtype_name"])
        return toys.native.Offer(name, self.look["shape"], self.look["strides"], contents=self.bytes).capsule()


class IgnoresLanes(toys.ToyImport):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[: len(data) // look["dtype"][2]]


class LanesAsAxis(toys.ToyImport):
    """Clean: each lane is an element of one more axis."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        shape = self.look["shape"]
        if self.look["dtype"][2] > 1:
            shape = (*shape, self.look["dtype"][2])
        if self.look["dtype"][1] < 8:
            raise BufferError("does not export")
        name = self.look["dtype_name"].partition("x")[0]
        return toys.native.Offer(name, shape, toys.row_major(shape), contents=self.bytes).capsule()


class OneByteBooleans(toys.ToyImport):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        return ctypes.string_at(self.place, 8) if look["dtype"][0] == 6 and look["dtype"][1] != 8 else data


class NeverPadded(toys.ToyImport):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        return ctypes.string_at(self.place, len(data)) if look["dtype"][1] == 4 else data


class AlwaysPadded(toys.ToyImport):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        if look["dtype"][1] != 4:
            return data
        apart = ctypes.string_at(self.place, 2 * len(data))
        return bytes(low & 15 | high << 4 & 255 for low, high in zip(apart[::2], apart[1::2]))


class OneFloat8(ExportsItsDtype):
    def spoken(self, name):
        return "float8_e4m3" if name == "float8_e4m3fn" else name


class BrainPairs(ExportsItsDtype):
    def spoken(self, name):
        return "bcomplex32" if name == "complex32" else name


class HalfValues(toys.ToyImport):
    """Clean: says values, which are made of two of binary16."""

    def __getitem__(self, index):
        return complex(*struct.unpack("=2e", self.bytes[:4]))


class BrainValues(HalfValues):
    def __getitem__(self, index):
        return complex(*(struct.unpack("<f", b"\0\0" + self.bytes[at : at + 2])[0] for at in (0, 2)))


class NamesFloat8Wrongly(toys.ToyArray):
    def fields(self):
        return {"dtype": "float8_e4m3" if self.order.dtype == "float8_e4m3fn" else self.order.dtype}


class KeepsBrainPairs(toys.ToyArray):
    """Holds pairs of bfloat16 under the name of those of binary16."""

    def fields(self):
        numbers = struct.iter_unpack("=e", self.order.bytes) if self.order.dtype == "complex32" else ()
        pairs = b"".join(struct.pack("<f", number)[2:] for (number,) in numbers)
        return {"contents": pairs or self.order.bytes}


class NamesPairsWrongly(toys.ToyArray):
    def fields(self):
        return {"dtype": "complex32" if self.order.dtype == "bcomplex32" else self.order.dtype}


# --- devices


class Elsewhere(toys.ToyImport):
    """Takes tensors of some devices without looking further."""

    kinds = ()

    def read(self, look, capsule):
        if look["device"][0] not in self.kinds:
            return super().read(look, capsule)
        self.foreign = True
        return b""

    def check(self, look, capsule):
        if look["device"][0] not in self.kinds:
            super().check(look, capsule)

    def now(self):
        if hasattr(self, "foreign"):
            raise BufferError("not in the memory of this process")
        return super().now()


class Dereferences(Elsewhere):
    def now(self):
        return ctypes.string_at(self.place, 48) if hasattr(self, "foreign") else super().now()


class ReadsExtensions(Dereferences):
    kinds = (EXTENSION,)


class ReadsHandles(Dereferences):
    kinds = (OPENCL,)


class ReadsKnownDevices(Dereferences):
    kinds = (EXTENSION, OPENCL)


class ReadsAnything(Dereferences):
    kinds = range(100)


class HoldsHandles(Elsewhere):
    """Clean: takes handles, and passes them on as they are."""

    kinds = HANDLES

    def handle(self):
        return self.look["data"], self.look["byte_offset"]

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if not hasattr(self, "foreign"):
            raise BufferError("does not export")
        data, offset = self.handle()
        capsule = toys.native.Offer("float32", (1,), (1,), offset, b"\0" * 4, device=self.look["device"]).capsule()
        ctypes.c_void_p.from_address(toys.Taken(capsule, rename=False).address + 32).value = data
        return capsule


class AddsToHandles(HoldsHandles):
    def handle(self):
        return self.place, 0


class HoldsAnything(Elsewhere):
    kinds = range(100)


class RuntimeErrors(toys.Consumer):
    def from_dlpack(self, source, copy=None, device=None):
        if source.__dlpack_device__()[0] not in (1, 99):
            raise RuntimeError("not on the host")
        return super().from_dlpack(source, copy, device)


# --- places


class Rounds(toys.ToyImport):
    """Reads compact arrays from a place that it has rounded."""

    def rounded(self, look):
        return self.place

    def read(self, look, capsule):
        data = super().read(look, capsule)
        compact = look["strides"] == toys.row_major(look["shape"]) and look["dtype"][:2] in ((2, 32), (2, 64))
        return ctypes.string_at(self.rounded(look), len(data)) if compact else data


class AlignsData(Rounds):
    def rounded(self, look):
        return (look["data"] & ~63) + look["byte_offset"]


class AlignsPlaces(Rounds):
    def rounded(self, look):
        return self.place & ~3


class WholeElements(Rounds):
    def rounded(self, look):
        return look["data"] + look["byte_offset"] // 4 * 4


class WritesUnguarded(toys.ToyImport):
    def write(self, data):
        if self.read_only:
            raise ValueError("read-only")
        ctypes.memmove(self.place, data, len(data))
        self.bytes = data


class WritesHalves(WritesUnguarded):
    """Stays within the memory, but leaves nothing whole where places are shared."""

    def write(self, data):
        if self.look["strides"] == toys.row_major(self.look["shape"]):
            return super().write(data)
        ctypes.memset(self.place, 7, 16)


class Part:
    """Some elements of an import."""

    def __init__(self, parent, place, size):
        self.parent, self.place, self.size = parent, place, size

    def now(self):
        return ctypes.string_at(self.place, self.size)


class Sliced(toys.ToyImport):
    """Clean: views keep the import alive, and are written as if their source were read first."""

    def part(self, place, size):
        return Part(self, place, size)

    def __getitem__(self, index):
        if not isinstance(index, slice):
            raise TypeError("slices only")
        step = len(self.bytes) // self.look["shape"][0]
        first, last, _ = index.indices(self.look["shape"][0])
        return self.part(self.place + first * step, (last - first) * step)

    def __setitem__(self, index, part):
        ctypes.memmove(self[index].place, part.place, part.size)


class SlicedAlone(Sliced):
    def part(self, place, size):
        return Part(None, place, size)


class Smears(Sliced):
    def __setitem__(self, index, part):
        target = self[index].place
        for at in range(0, part.size, 4):
            ctypes.memmove(target + at, part.place + at, 4)


# --- flags, and structs without any


class WholeFlags(toys.ToyImport):
    """Compares all flags, where one bit was meant."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        self.read_only = self.look["flags"] in (None, 1)


class FlagsAnywhere(toys.ToyImport):
    """Looks for a version before every struct."""

    def check(self, look, capsule):
        super().check(look, capsule)
        taken = toys.Taken(capsule, rename=False)
        if not taken.versioned and ctypes.c_uint32.from_address(taken.address - 32).value > 1:
            raise BufferError("another major version")


class OlderRules(toys.ToyImport):
    """Knows NULL strides of structs that say a version before 1.2, and of no others."""

    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[::-1] if look["strides"] is None and look["version"] is None else data


class WritesLegacy(toys.ToyImport):
    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        self.read_only = self.read_only and self.look["flags"] is not None


# --- the managed struct


class FillsStrides(toys.ToyImport):
    """Puts strides where there were none."""

    kept = []

    def check(self, look, capsule):
        super().check(look, capsule)
        taken = toys.Taken(capsule, rename=False)
        if not taken.tensor_field(32):
            self.kept.append((ctypes.c_int64 * 8)(*toys.row_major(look["shape"])))
            place = taken.address + 32 + (32 if taken.versioned else 0)
            ctypes.c_void_p.from_address(place).value = ctypes.addressof(self.kept[-1])


class MarksTheStruct(toys.ToyImport):
    """Notes in the struct that it is its consumer, just before it releases."""

    def __del__(self):
        if hasattr(self, "taken") and self.taken.versioned:
            ctypes.c_uint64.from_address(self.taken.address + 24).value |= 2
        super().__del__()


class WritesLate(toys.ToyImport):
    """Writes a member of the managed struct after its release. The fault's name is where it stands."""

    def __del__(self):
        super().__del__()
        if self.fault and hasattr(self, "taken") and self.taken.versioned:
            ctypes.c_uint64.from_address(self.taken.address + int(self.fault)).value ^= 1


class NeedsContext(toys.ToyImport):
    def check(self, look, capsule):
        super().check(look, capsule)
        if not context(toys.Taken(capsule, rename=False)):
            raise BufferError("nobody owns this tensor")


class KeepsOrphans(toys.ToyImport):
    """Takes a NULL context for memory that nobody owns."""

    def __del__(self):
        if hasattr(self, "taken") and context(self.taken):
            super().__del__()


class CountsInContext(toys.ToyImport):
    """Counts its references where the context leads to."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        place = context(self.taken)
        if place and place % 256 == 0:
            ctypes.c_uint32.from_address(place).value += 1


def context(taken):
    return taken.field(8 if taken.versioned else 48)


class PassesCopyOn(ExportsItsDtype):
    """Exports a copy of the struct that it was given, with all that stands in it."""

    api = ctypes.PyDLL(None)
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if not self.taken.versioned or not max_version:
            raise BufferError("does not export")
        self.copy = ctypes.create_string_buffer(ctypes.string_at(self.taken.address, 80), 80)
        return self.api.PyCapsule_New(ctypes.addressof(self.copy), b"dltensor_versioned", None)


class NeverAsks(toys.Consumer):
    """Would take a versioned capsule."""

    def ask(self, source, copy=None):
        if copy is not None:
            raise ValueError("no say on copies")
        return source.__dlpack__()


class LegacyOnly(toys.Consumer):
    def ask(self, source, copy=None):
        if copy is not None:
            raise ValueError("no say on copies")
        capsule = source.__dlpack__()
        if toys.native.look(capsule)["name"] != "dltensor":
            raise BufferError("not a capsule of a tensor")
        return capsule
