"""Consumers that take some exporters only, or remember of one import what they should not know in the next."""

import ctypes
import weakref

from exhibits import doubles
from exhibits.consumer_memory import Part, Sliced


# --- whom they take
class PlainNumbersOnly(doubles.Consumer):
    def device_of(self, source):
        kind, number = super().device_of(source)
        if type(kind) is not int:
            raise TypeError("a device type is an int")
        return kind, number


class HashableOnly(doubles.Consumer):
    def from_dlpack(self, source, copy=None, device=None):
        hash(source)
        return super().from_dlpack(source, copy, device)


# --- what they remember
class StaysWithCopies(doubles.Consumer):
    """A copy that could not be had is asked for once more by the next import."""

    wanted = None

    def ask(self, source, copy=None):
        asked, self.wanted = self.wanted if copy is None else copy, copy
        capsule = super().ask(source, asked)
        self.wanted = None
        return capsule


class KnowsItsSources(doubles.Consumer):
    """A copy of what it has imported is that import."""

    known = weakref.WeakValueDictionary()  # by the id of the source

    def from_dlpack(self, source, copy=None, device=None):
        if copy and id(source) in self.known:
            return self.known[id(source)]
        made = super().from_dlpack(source, copy, device)
        if copy is None:
            self.known[id(source)] = made
        return made


# --- what they release
class ElementAlone(Sliced):
    """A view of one element does not hold the import."""

    def __getitem__(self, index):
        if not isinstance(index, tuple) or Ellipsis in index:
            return super().__getitem__(index)
        size = self.look["dtype"][1] * self.look["dtype"][2] // 8
        row, column = index
        return Part(None, self.place + (row * self.look["shape"][1] + column) * size, size)


class ReleasesForeignDevices(doubles.Import):
    """Releases what lies on another device, and leaves the capsule as it is."""

    def check(self, look, capsule):
        if tuple(look["device"] or (1, 0))[0] not in (1, 99):
            doubles.Taken(capsule, rename=False).release()
            raise BufferError("not in host memory")
        super().check(look, capsule)


class LayoutOfItsTwin(doubles.Import):
    """Takes a tensor of the address and the shape of an import that lives for that import's."""

    living = weakref.WeakValueDictionary()

    def read(self, look, capsule):
        key = look["data"], look["byte_offset"], look["shape"]
        twin = self.living.get(key) if look["data"] else None
        if twin is not None:
            return twin.now()
        self.living[key] = self
        return super().read(look, capsule)


class CopiesItself(doubles.Consumer):
    """Clean: copies what its exporter does not copy, and releases it at once."""

    def from_dlpack(self, source, copy=None, device=None):
        try:
            return super().from_dlpack(source, copy, device)
        except (BufferError, TypeError):
            if not copy:
                raise
            return self.copied(self.ask(source))

    def copied(self, capsule):
        return doubles.Import(capsule, "copies")


class CallsForCopies(CopiesItself):
    """Calls the deleter of a tensor that it copies itself, unasked whether there is one."""

    def copied(self, capsule):
        taken = doubles.Taken(capsule, rename=False)
        if not taken.deleter:
            doubles.faulty_code().zoo_call_deleter(ctypes.c_void_p(taken.address), taken.versioned)
        return super().copied(capsule)


class NoCopyOfReadOnly(doubles.Consumer):
    """Takes copy=True to be needless where the memory is READ_ONLY."""

    def ask(self, source, copy=None):
        if copy:
            capsule = super().ask(source)
            if (doubles.native.look(capsule)["flags"] or 0) & 1:
                return capsule
        return super().ask(source, copy)


class CopiesMirrors(doubles.Consumer):
    """Has no negative strides: copies, whether or not that was forbidden."""

    def take(self, capsule):
        is_mirror = any(stride < 0 for stride in doubles.native.look(capsule)["strides"] or ())
        return doubles.Import(capsule, "copies" if is_mirror else self.fault)


class WantsADevice(doubles.Consumer):
    """An error of its own for an exporter that has one of the two methods."""

    def device_of(self, source):
        if hasattr(source, "__dlpack__") and not hasattr(source, "__dlpack_device__"):
            raise TypeError("an object without __dlpack_device__")
        return super().device_of(source)


EXHIBITS = (
    ("python.from-dlpack-any-object", "consumer", "PlainNumbersOnly", "doubles.Consumer"),
    ("python.from-dlpack-any-object", "consumer", "HashableOnly", "doubles.Consumer"),
    ("tensor.zero-copy", "consumer", "StaysWithCopies", "doubles.Consumer"),
    ("python.copy-forwarded", "consumer", "KnowsItsSources", "doubles.Consumer"),
    ("python.copy-forwarded", "consumer", "NoCopyOfReadOnly", "doubles.Consumer"),
    ("python.from-dlpack-copy-false-error", "consumer", "CopiesMirrors", "doubles.Consumer"),
    ("python.from-dlpack-attributeerror", "consumer", "WantsADevice", "doubles.Consumer"),
    ("managed.keep-all-in-slice", "consumer", "ElementAlone", "consumer_memory.Sliced"),
    ("managed.error-releases", "consumer", "ReleasesForeignDevices", "doubles.Import"),
    ("tensor.element-address", "consumer", "LayoutOfItsTwin", "doubles.Import"),
    ("managed.deleter-null-skipped", "consumer", "CallsForCopies", "CopiesItself"),
)
