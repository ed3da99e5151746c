"""Consumers whose imports are exported again in unusual ways: one row each, with what permits it."""

import ctypes

import structs
from consumers import Adapter, Exporting, Taken


class Viewing(Exporting):
    """Views of views: each holds the one that it was made of, and the last holds the import."""

    base = None

    def view(self, first, shape, strides):
        made = object.__new__(Viewing)
        made.base, made.odd, made.own, made.readonly = self, self.odd, None, self.readonly
        made.taken = object.__new__(Taken)
        made.taken.__dict__.update(self.taken.__dict__, first=first, shape=shape, strides=strides)
        return made

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        if self.taken is None or not all(isinstance(each, slice) for each in index):
            raise TypeError("slices alone, of what is no copy")
        if len(index) > len(self.taken.shape):
            raise IndexError("too many axes")
        first, shape, strides = self.taken.first, list(self.taken.shape), list(self.taken.strides)
        for axis, each in enumerate(index):
            start, _, step = each.indices(shape[axis])
            reached = range(*each.indices(shape[axis]))
            first += start * strides[axis] * self.taken.size if len(reached) else 0
            shape[axis], strides[axis] = len(reached), strides[axis] * step
        return self.view(first, tuple(shape), tuple(strides))

    @property
    def T(self):  # noqa: N802
        return self.view(self.taken.first, self.taken.shape[::-1], self.taken.strides[::-1])

    def __del__(self):
        if self.base is None:
            super().__del__()


class Normalises(Exporting):
    """Exports strides of 0 for axes of one element, whatever came."""

    def __init__(self, taken, odd):
        super().__init__(taken, odd)
        if self.taken is not None:
            pairs = zip(taken.shape, taken.strides)
            taken.strides = tuple(0 if extent == 1 else step for extent, step in pairs)


class CopiesOut(Exporting):
    """Exports copies of itself alone, in the versioned struct."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if stream is not None or dl_device not in (None, (1, 0)) or copy is False or self.taken is None:
            raise BufferError("a copy, or nothing")
        if max_version is None or max_version[0] < 1:
            raise BufferError("a legacy capsule cannot say that it is a copy")
        made = structs.Versioned()
        data = self.contents()
        block = ctypes.create_string_buffer(data, len(data) + 1)
        made.major, made.minor, made.flags, tensor = 1, 0, structs.IS_COPIED, made.tensor
        rank, theirs = len(self.taken.shape), self.taken.managed.tensor
        lists = [(ctypes.c_int64 * max(1, rank))(*each) for each in (self.taken.shape, self.row_major())]
        structs.set_layout(tensor, *lists)
        tensor.ndim, tensor.code, tensor.bits, tensor.lanes = rank, theirs.code, theirs.bits, theirs.lanes
        tensor.data = ctypes.addressof(block) if data else 0
        made.deleter = ctypes.cast(structs.free, ctypes.c_void_p).value
        structs.HELD[ctypes.addressof(made)] = (made, lists, block, None)
        return structs.capsule_of(made)

    def row_major(self):
        return structs.row_major(self.taken.shape)


class RefusesOut(Exporting):
    """Has the methods, and gives nothing away."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        raise BufferError("borrowed goods are not lent")


class OffsetOut(Exporting):
    """Exports the first element as an offset from an address before it."""

    def __dlpack__(self, **keywords):
        made = super().__dlpack__(**keywords)
        managed = structs.HELD[structs.address_of(made)][0]
        if managed.tensor.data:
            managed.tensor.data -= 64
            managed.tensor.byte_offset = 64
        return made


ROWS = {
    "views of views": (Adapter(Viewing), "dlpack.h, DLManagedTensor: released when the last view goes"),
    "re-exports with other strides of one element": (
        Adapter(Normalises),
        "dlpack.h, DLTensor.strides: no index uses them",
    ),
    "re-exports are copies": (Adapter(CopiesOut), "array API, copy=None: copied where it cannot be shared"),
    "re-exports are refused": (Adapter(RefusesOut), "array API, __dlpack__, Raises: BufferError"),
    "re-exports with an offset": (Adapter(OffsetOut), "dlpack.h, DLTensor.byte_offset: or a pointer to the element"),
}
