"""Consumers that are odd and conform: one row each. They read capsules over ctypes alone."""

import ctypes
import itertools
import threading

import structs

KNOWN = {(code, bits): f"{kind}{bits}" for kind, code in structs.CODES.items() for bits in (8, 16, 32, 64, 128)}


class Taken:
    """The struct of a capsule, read before anything is changed; a refusal leaves the capsule to its exporter."""

    def __init__(self, capsule, odd):
        self.capsule, self.odd = capsule, odd
        name = structs.API.PyCapsule_GetName(id(capsule))
        spelled = ctypes.string_at(name) if name else b""
        if spelled not in (b"dltensor", b"dltensor_versioned"):
            raise BufferError("no capsule of a tensor")
        self.versioned = spelled == b"dltensor_versioned"
        self.address = structs.API.PyCapsule_GetPointer(id(capsule), name)
        kind = structs.Versioned if self.versioned else structs.Legacy
        if self.versioned and structs.Versioned.from_address(self.address).major != 1:
            raise BufferError("another major version")
        self.managed = kind.from_address(self.address)
        self.read()

    def read(self):
        tensor = self.managed.tensor
        if (tensor.device_type, tensor.device_id) != (1, 0):
            raise BufferError("not in host memory")
        self.dtype = KNOWN.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
        if self.dtype is None or (self.dtype.startswith("bool") and tensor.bits != 8):
            raise BufferError("no such dtype")
        if not 0 <= tensor.ndim <= 64:
            raise BufferError("too many axes")
        self.size, self.shape = tensor.bits // 8, structs.numbers_at(tensor.shape, tensor.ndim)
        self.strides = structs.row_major(self.shape)
        if tensor.strides:
            self.strides = structs.numbers_at(tensor.strides, tensor.ndim)
        self.flags = self.managed.flags if self.versioned else 0
        self.first = tensor.data + tensor.byte_offset

    def is_compact(self):
        means = [axis for axis, extent in enumerate(self.shape) if extent > 1 and 0 not in self.shape]
        return all(self.strides[axis] == structs.row_major(self.shape)[axis] for axis in means)

    def places(self):
        for index in itertools.product(*map(range, self.shape)):
            yield self.first + self.size * sum(i * step for i, step in zip(index, self.strides))

    def contents(self):
        return b"".join(ctypes.string_at(place, self.size) for place in self.places())

    def consume(self):
        """Renames the capsule: the struct is ours to release."""
        structs.API.PyCapsule_SetName(id(self.capsule), ctypes.addressof(structs.USED[self.versioned]))
        if "no destructor" in self.odd:
            structs.API.PyCapsule_SetDestructor(id(self.capsule), None)
        self.capsule = None

    def release(self):
        deleter = self.managed.deleter
        if deleter:
            structs.FREE(deleter)(self.address)


LATE = []  # releases that the next import brings


class Import:
    """An imported array: it shows the producer's memory until it goes."""

    def __init__(self, taken, odd):
        self.taken, self.odd, self.own = taken, odd, None
        taken.consume()
        self.readonly = bool(taken.flags & structs.READ_ONLY) or not taken.versioned
        if "copies" in odd:
            self.own = bytearray(taken.contents())
            taken.release()
            self.taken, self.shape = None, taken.shape

    def contents(self):
        return bytes(self.own) if self.taken is None else self.taken.contents()

    def write(self, data):
        if self.taken is None:
            self.own[:] = data
            return
        if self.readonly or "immutable" in self.odd:
            raise ValueError("read-only")
        places = list(self.taken.places())
        if len(set(places)) < len(places):
            raise ValueError("elements share their places")
        for number, place in enumerate(places):
            ctypes.memmove(place, data[number * self.taken.size : (number + 1) * self.taken.size], self.taken.size)

    def __del__(self):
        taken, self.taken = getattr(self, "taken", None), None
        if taken is None:
            return
        if "late" in self.odd:
            LATE.append(taken)
        elif "on a thread" in self.odd:
            releasing = threading.Thread(target=taken.release)
            releasing.start()
            releasing.join()
        else:
            taken.release()


class Exporting(Import):
    """Is exported again, as a tensor of its own over the same memory."""

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if stream is not None or dl_device not in (None, (1, 0)) or copy:
            raise BufferError("only as it is")
        versioned = max_version is not None and max_version[0] >= 1
        if self.taken is None or (self.readonly and not versioned):
            raise BufferError("a legacy capsule cannot say that it is read-only")
        managed = structs.Versioned() if versioned else structs.Legacy()
        if versioned:
            managed.major, managed.minor, managed.flags = 1, 3, structs.READ_ONLY if self.readonly else 0
        tensor, theirs = managed.tensor, self.taken.managed.tensor
        rank = len(self.taken.shape)
        lists = [(ctypes.c_int64 * max(1, rank))(*each) for each in (self.taken.shape, self.taken.strides)]
        structs.set_layout(tensor, *lists)
        tensor.ndim, tensor.code, tensor.bits, tensor.lanes = rank, theirs.code, theirs.bits, theirs.lanes
        tensor.data = 0 if 0 in self.taken.shape else self.taken.first
        managed.deleter = ctypes.cast(structs.free, ctypes.c_void_p).value
        structs.HELD[ctypes.addressof(managed)] = (managed, lists, self)
        return structs.capsule_of(managed)


class Adapter:
    """What an adapter gives dlspec. `refuses`: a function of the struct that says what is not taken."""

    def __init__(self, kind=Import, asks=(1, 3), refuses=lambda taken: False, keywords=True, **odd):
        self.kind, self.asks, self.refuses, self.keywords = kind, asks, refuses, keywords
        self.odd = {name.replace("_", " "): value for name, value in odd.items()}
        self.standard = "array-api" if keywords else "dlpack"

    def from_dlpack(self, source, **keywords):
        while LATE:
            LATE.pop().release()
        if keywords and not self.keywords:
            raise TypeError("from_dlpack() got an unexpected keyword argument")
        if keywords.get("device") is not None:
            raise ValueError("no such device")
        copy = keywords.get("copy")
        if copy is False and "copies" in self.odd:
            raise BufferError("every import is a copy")
        if source.__dlpack_device__()[0] != 1:
            raise BufferError("not in host memory")
        capsule = self.capsule_of(source, copy)
        if "asks twice" in self.odd:
            capsule = self.capsule_of(source, copy)  # the first one goes unconsumed
        taken = Taken(capsule, self.odd)
        if self.refuses(taken):
            if "takes what it refuses" in self.odd:
                taken.consume()
                taken.release()
            raise BufferError("no such tensor is taken")
        asked = {} if copy is None else {"copies": True} if copy else {"must share": True}
        return self.kind(taken, {**self.odd, **asked})

    def capsule_of(self, source, copy):
        try:
            return source.__dlpack__(max_version=self.asks, **({} if copy is None else {"copy": copy}))
        except TypeError:
            if copy is False:
                raise  # an exporter that may copy was not told not to
            return source.__dlpack__()

    def contents(self, array):
        return array.contents()

    def write(self, array, data):
        array.write(data)


ROWS = {
    "an ordinary consumer": Adapter(),
    "it copies": Adapter(copies=True),
    "it is exported again": Adapter(Exporting),
    "it is immutable": Adapter(immutable=True),
    "compact tensors alone": Adapter(refuses=lambda taken: not taken.is_compact()),
    "no negative strides": Adapter(refuses=lambda taken: min(taken.strides, default=0) < 0),
    "no broadcast axes": Adapter(refuses=lambda taken: 0 in taken.strides),
    "at most two axes": Adapter(refuses=lambda taken: len(taken.shape) > 2),
    "one axis at least": Adapter(refuses=lambda taken: not taken.shape),
    "floats alone": Adapter(refuses=lambda taken: taken.dtype != "float32"),
    "floats alone, and others are released": Adapter(
        refuses=lambda taken: taken.dtype != "float32", takes_what_it_refuses=True
    ),
    "it asks twice": Adapter(asks_twice=True),
    "nothing at all": Adapter(refuses=lambda taken: True),
    "it asks for 1.0": Adapter(asks=(1, 0)),
    "no keywords": Adapter(keywords=False),
    "it takes the destructor away": Adapter(no_destructor=True),
    "it releases on another thread": Adapter(on_a_thread=True),
    "it releases at the next import": Adapter(late=True),
}
