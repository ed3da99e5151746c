"""Shared by the producers that are odd but conform: an array that takes any freedom of the texts, and its adapter."""

import ctypes

import structs


class Array:
    """An array of the array API 2023.12; `odd` says in which way it is unusual."""

    def __init__(self, order, odd):
        self.odd, self.readonly, self.shape = odd, order.readonly or odd.get("immutable", False), order.shape
        self.code, self.bits = structs.dtype_of(order.dtype)
        chosen = odd.get("strides", structs.row_major) if order.strides is None else lambda shape: order.strides
        self.strides = self.meaningless(chosen(self.shape))
        before = order.offset * self.bits // 8 + odd.get("before", 0)
        self.memory = self.memory_of(order.bytes, before)

    def meaningless(self, strides):
        """The strides, with an unusual one on axes of one element, where no index uses it."""
        value = self.odd.get("unused stride")
        if value is None:
            return tuple(strides)
        return tuple(value if extent == 1 else step for extent, step in zip(self.shape, strides))

    def memory_of(self, data, before=0, strides=None):
        strides = self.strides if strides is None else strides
        meant = [0 if extent == 1 else step for extent, step in zip(self.shape, strides)]
        kind = self.odd.get("memory", structs.Memory)
        memory = kind(data, self.bits // 8, self.shape, meant, before, self.odd.get("shift", 0))
        memory.strides = strides
        return memory

    def copied(self):
        """Memory of its own for an export that is a copy."""
        return self.memory_of(self.memory.read())

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        for given in (max_version, dl_device):
            if given is not None and [isinstance(each, int) for each in tuple(given)] != [True, True]:
                raise TypeError("a pair of integers is wanted")
        if stream is not None:
            raise self.odd.get("stream error", ValueError)("host memory has no streams")
        if dl_device is not None and dl_device != (1, 0):
            raise BufferError("the array stays where it is")
        return self.export(max_version, copy)

    def __dlpack_device__(self):
        return self.odd.get("device", (1, 0))

    def export(self, max_version=None, copy=None):
        versioned = max_version is not None and max_version[0] >= 1
        if not versioned and (self.readonly or "versioned only" in self.odd):
            raise BufferError("a legacy capsule cannot say what this array is")
        if copy and "no copies" in self.odd:
            raise BufferError("no copies are made")
        copied = bool(copy) or "always copies" in self.odd
        if copied and copy is False:
            raise BufferError("it cannot be shared")
        flags = structs.IS_COPIED if copied else structs.READ_ONLY if self.readonly else 0
        memory = self.copied() if copied else self.memory
        return self.capsule(memory, self.version(max_version) if versioned else None, flags)

    def version(self, asked):
        newest = self.odd.get("version", (1, 3))
        return min(newest, asked) if "no newer than asked" in self.odd else newest

    def capsule(self, memory, version, flags):
        while structs.LATE:
            structs.HELD.pop(structs.LATE.pop(), None)
        managed = structs.Legacy() if version is None else structs.Versioned()
        if version is not None:
            (managed.major, managed.minor), managed.flags = version, flags
        kept = self.fill(managed.tensor, memory, nullable=version is None or version < (1, 2))
        managed.manager_ctx = self.odd.get("context", 0)
        deleter = self.odd.get("deleter", structs.free)
        managed.deleter = ctypes.cast(deleter, ctypes.c_void_p).value if deleter else 0
        structs.HELD[ctypes.addressof(managed)] = (managed, kept, memory, self)
        self.exported(ctypes.addressof(managed), managed)
        return structs.capsule_of(managed, self.odd.get("destructor", structs.release_unconsumed))

    def exported(self, address, managed):
        """Called when a struct is filled and held, before its capsule is made."""

    def tables(self, memory):
        """The lists of extents and strides."""
        rank = max(1, len(self.shape))
        return [(ctypes.c_int64 * rank)(*each) for each in (self.shape, memory.strides)]

    def fill(self, tensor, memory, nullable):
        """Fills a DLTensor. Returns what must live as long."""
        rank = len(self.shape)
        shape, strides = self.tables(memory)
        structs.set_layout(tensor, shape, strides)
        tensor.ndim, tensor.code, tensor.bits, tensor.lanes = rank, self.code, self.bits, 1
        if not rank and "null scalars" in self.odd:
            tensor.shape = tensor.strides = 0
        if "one list" in self.odd and self.shape == memory.strides:
            tensor.strides = tensor.shape
        if nullable and "null strides" in self.odd and memory.strides == structs.row_major(self.shape):
            tensor.strides = 0
        if 0 not in self.shape:
            tensor.byte_offset = {"all": memory.first - memory.begin}.get(
                self.odd.get("byte_offset"), self.odd.get("byte_offset", 0)
            )
            tensor.data = memory.first - tensor.byte_offset
        return shape, strides


class Adapter:
    """What an adapter gives dlspec, for the arrays of one row."""

    def __init__(self, kind=Array, standard="array-api", dtypes=None, ranks=range(65), **odd):
        self.kind, self.standard, self.dtypes, self.ranks = kind, standard, dtypes, ranks
        self.odd = {name.replace("_", " "): value for name, value in odd.items()}
        if "byte offset" in self.odd:
            self.odd["byte_offset"] = self.odd.pop("byte offset")

    def make(self, order):
        if len(order.shape) not in self.ranks or (self.dtypes and order.dtype not in self.dtypes):
            raise NotImplementedError("no such array")
        if self.odd.get("compact") and order.strides is not None:
            raise NotImplementedError("compact arrays only")
        return self.kind(order, self.odd)

    def contents(self, array):
        return array.memory.read()

    def write(self, array, data):
        if array.readonly:
            raise ValueError("the array is read-only")
        array.memory.write(data)
