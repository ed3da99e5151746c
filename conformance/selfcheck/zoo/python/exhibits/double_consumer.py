"""The test double of a consumer: it keeps every rule, but for the fault that it is given by name."""

import ctypes
import itertools
import operator
import threading
import weakref

from dlspec_worker.facts.structs import DLManagedTensorVersioned

from exhibits.double_fixtures import Taken, faulty_code, native, row_major, set_destructor
from exhibits.double_producer import Array

# Without the GIL another thread could look at a capsule that was checked and is not renamed yet. Imports may be nested.
CONSUMING = threading.RLock()


class Import:
    """An imported array that takes over, reads through, and releases one capsule."""

    live = False  # whether its elements are shown as the memory holds them

    def __init__(self, capsule, fault):
        self.fault = fault
        with CONSUMING:
            self.consume(capsule, fault)
        self.go_on(capsule, fault)

    def consume(self, capsule, fault):
        self.look = look = native.look(capsule)
        self.check_name(look, capsule)
        self.check(look, capsule)
        self.place = (look["data"] or 0) + look["byte_offset"]
        self.read_only = look["flags"] is None or bool(look["flags"] & 1)  # without flags nobody says that it may be
        self.bytes = self.read(look, capsule)
        self.start = ctypes.string_at(self.place, 1) if self.bytes else b""
        kept = ("not renamed", f"{look['generation']} not renamed", f"{look['generation']} destructor cleared")
        self.taken = Taken(capsule, rename=fault not in kept)

    def go_on(self, capsule, fault):
        """What is done with the consumed capsule: a deleter may wait for what another thread imports."""
        if fault == f"{self.look['generation']} destructor cleared":
            Taken.set_destructor(capsule, None)
        self.live = self.is_live()
        if fault == "scribbles" and self.bytes and self.read_only:
            ctypes.memset(self.place, 0, 4)
        if fault == "released by the capsule":
            set_destructor(capsule, "destructor releases used")
        if fault in ("released at once", "copies"):
            self.taken.release()

    def is_live(self):
        """True when the elements are shown as the memory holds them: whole bytes of the host, not too many."""
        if self.look["shape"] is None or not self.bytes or self.fault or tuple(self.look["device"]) != (1, 0):
            return False
        if self.look["dtype"][1] * self.look["dtype"][2] % 8 or len(self.bytes) > 1 << 14:
            return False
        return self.in_memory() == self.bytes

    def in_memory(self):
        places = self.places()
        return b"".join(ctypes.string_at(place, len(self.bytes) // len(places)) for place in places)

    def check_name(self, look, capsule):
        if look["name"] not in ("dltensor", "dltensor_versioned"):
            if self.fault == "releases what it refuses" and not (look["name"] or "").startswith("used_"):
                Taken(capsule, rename=False).release()
            raise BufferError("not a capsule of a tensor")
        if look["version"] and look["version"][0] != 1:
            self.refuse_major(Taken(capsule, rename=self.fault == "keeps a foreign major"))

    def refuse_major(self, taken):
        if self.fault == "dtype before version":
            raise BufferError(f"another version, and dtype code {taken.tensor.code}")
        raise BufferError("another major version")

    def check(self, look, capsule):
        taken = Taken(capsule, rename=False)
        shape, strides = look["shape"] or (), look["strides"] or ()
        refused = {
            "zero strides refused": 0 in (look["strides"] or ()),
            "null refused": look["data"] == 0,
            "pointer refused": 0 in shape and bool(look["data"]),
            "null strides of a matrix refused": len(shape) > 1 and look["strides"] is None,
            "empty compact only": 0 in shape and strides == (3, 3, 1),
            "null shape refused": not taken.tensor.shape,
            "null strides refused": not shape and not taken.tensor.strides,
            "minor refused": bool(look["version"]) and look["version"][1] > 3,
            "read-only refused": bool((look["flags"] or 0) & 1),
            "compact only": 77 in (look["strides"] or ()),
        }
        if refused.get(self.fault):
            raise BufferError(self.fault)
        if self.is_strange(*(look["dtype"] or (2, 32, 1))):
            raise BufferError("no such elements")
        if tuple(look["device"] or (1, 0))[0] != 1:
            raise BufferError("not in host memory")
        if any(each["verdict"] == "fail" for each in native.validate(capsule)):
            if self.fault == "leaks when refusing":
                Taken(capsule)
            raise BufferError("a struct that breaks a rule")

    def is_strange(self, code, bits, lanes):
        """Opaque handles, and widths whose storage nobody has defined."""
        return code == 3 or bits > 8 and bits % 8 != 0

    def read(self, look, capsule):
        data = native.contents(capsule)
        if self.fault == "byte_offset ignored" and look["byte_offset"]:
            return data[1:] + data[:1]
        moving = [stride for extent, stride in zip(look["shape"], look["strides"] or ()) if extent > 1]
        if self.fault == "zero strides misread" and 0 in moving:
            return data[1:] + data[:1]
        if self.fault == "negative strides misread" and any(stride < 0 for stride in moving):
            return data[::-1]
        if self.fault == "null strides misread" and look["strides"] is None and look["shape"]:
            return data[::-1]
        return data

    def now(self):
        """What the memory shows: these faults look at it after the release."""
        looking = self.fault.startswith("released ") or self.fault.endswith("not renamed")
        if looking and self.bytes and ctypes.string_at(self.place, 1) != self.start:
            return ctypes.string_at(self.place, 1) * len(self.bytes)
        return self.in_memory() if self.live else self.bytes

    def write(self, data):
        if self.read_only and not (self.fault == "writes read-only" and self.look["flags"]):
            raise ValueError("read-only")
        places = self.places()
        if len(set(places)) < len(places):
            self.write_shared(data)
            return
        size = len(data) // max(1, len(places))
        if size * len(places) != len(data):
            raise ValueError("elements of which several are in a byte")
        for number, place in enumerate(places if self.fault != "copies" else ()):
            ctypes.memmove(place, data[number * size : (number + 1) * size], size)
        self.bytes = data

    def write_shared(self, data):
        """What becomes of a write into elements that share their places."""
        raise ValueError("elements may share their places")

    def places(self):
        """The address of each element; of the whole where elements lie one after the other."""
        steps = self.look["strides"]
        if steps in (None, row_major(self.look["shape"])):
            return [self.place]
        size = self.look["dtype"][1] * self.look["dtype"][2] // 8
        indices = itertools.product(*map(range, self.look["shape"]))
        return [self.place + size * sum(map(operator.mul, index, steps)) for index in indices]

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if self.fault != "reinterprets":
            raise BufferError("does not export")
        return native.Offer("int32", self.look["shape"], contents=self.bytes, generation="legacy").capsule()

    def __dlpack_device__(self):
        return (1, 0)

    def __del__(self):
        if not hasattr(self, "taken"):
            return
        if hasattr(self, "release"):
            self.release()
            return
        if self.fault == "copied struct released":
            copy = ctypes.create_string_buffer(self.taken.raw(), ctypes.sizeof(DLManagedTensorVersioned))
            self.taken.release(ctypes.addressof(copy))
            return
        calls = {
            "never released": 0,
            "released by the capsule": 0,
            "released at once": 0,
            "copies": 0,
            "not renamed": 0,
            "released twice": 2,
        }
        if self.fault == f"{self.look['generation']} not renamed":
            return
        if self.fault == "null deleter called":
            faulty_code().zoo_call_deleter(ctypes.c_void_p(self.taken.address), self.taken.versioned)
            return
        for _ in range(calls.get(self.fault, 1)):
            self.taken.release()
        if self.fault == "writes after release" and self.bytes:
            ctypes.memset(self.place, 0, min(4, len(self.bytes)))


class Importing:
    """The adapter of a consumer whose imports are of a class of its own."""

    standard = "array-api"

    def __init__(self, kind, fault=""):
        self.base = Consumer(fault)
        self.kind = kind

    def from_dlpack(self, source, copy=None, device=None):
        if device is not None:
            raise ValueError("there is no such device")
        return self.kind(self.base.ask(source, copy), self.base.fault)

    def contents(self, array):
        return array.now()

    def write(self, array, data):
        array.write(data)


NAMES = ("dltensor", "dltensor_versioned", "used_dltensor", "used_dltensor_versioned")


class AnyImport:
    """What takes every capsule unseen."""

    def now(self):
        return b""


class Consumer:
    """The adapter of a library that imports."""

    standard = "array-api"

    def __init__(self, fault=""):
        self.fault = fault

    def from_dlpack(self, source, copy=None, device=None):
        if device is not None:
            raise ValueError("there is no such device")
        if self.fault == "known types only" and not isinstance(source, Array):
            raise TypeError("not one of ours")
        capsule = self.ask(source, copy)
        if self.fault == "released with the source":
            return self.bound(capsule, source)
        if copy is False and self.fault == "copies":
            return Import(capsule, "")
        if self.fault == "any capsule taken":
            return AnyImport()
        if self.fault == "void taken" and not Taken(capsule, rename=False).tensor.data:
            return AnyImport()
        return self.take(capsule)

    def bound(self, capsule, source):
        """An import that is released when its source goes, or itself, whatever comes first."""
        made = Import(capsule, "released with the source")
        made.release = weakref.finalize(source, made.taken.release)
        return made

    def take(self, capsule):
        """The import of a capsule."""
        look = native.look(capsule)
        seen = {
            "any name taken": look["name"] not in NAMES,
            "used capsule taken": (look["name"] or "").startswith("used_"),
            "unknown values taken": (look["dtype"] or [0])[0] == 200 or (look["device"] or [0])[0] == 99,
        }
        if seen.get(self.fault):
            return AnyImport()
        return Import(capsule, self.fault)

    def device_of(self, source):
        return source.__dlpack_device__()

    def ask(self, source, copy=None):
        # 1 and 0 stand for the default stream of CUDA and of ROCm.
        stream = {2: 1, 10: 0}.get(self.device_of(source)[0])
        named = {} if stream is None else {"stream": stream}
        if self.fault == "legacy only":
            if copy is not None:
                raise ValueError("no say on copies")
            return source.__dlpack__(**named)
        if self.fault == "no retry":
            return source.__dlpack__(max_version=(1, 3), copy=copy, **named)
        try:
            return source.__dlpack__(max_version=(1, 3), copy=copy, **named)
        except TypeError:
            if copy:
                raise
            return source.__dlpack__(**named)

    def contents(self, array):
        return array.now()

    def write(self, array, data):
        array.write(data)


class Library(Consumer):
    """A consumer that makes arrays too."""

    def make(self, order):
        return Array(order)

    def contents(self, array):
        return bytes(array.held) if isinstance(array, Array) else super().contents(array)
