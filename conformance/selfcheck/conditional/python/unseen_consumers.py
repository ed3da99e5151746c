"""Consumers with faults of real libraries behind one condition each: measured, and no check is made for them."""

import ctypes
import threading

from exhibits import doubles
from exhibits.consumer_reexports import Onward


class Taking(doubles.Consumer):
    """Imports are of the class `odd` where `concerned` says so."""

    odd = plain = doubles.Import
    fault_of_odd = ""

    def concerned(self, look):
        return False

    def take(self, capsule):
        look = doubles.native.look(capsule)
        usual = look["dtype"] and look["shape"] is not None and (look["version"] or [1])[0] == 1
        if usual and self.concerned(look):
            return self.odd(capsule, self.fault_of_odd)
        return self.plain(capsule, "")


class Rotated(doubles.Import):
    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[4:] + data[:4]


class OffsetOfLegacyViews(Taking):
    """The old path of import forgets byte_offset of arrays with one axis."""

    odd = Rotated

    def concerned(self, look):
        return look["version"] is None and look["byte_offset"] and len(look["shape"]) == 1


class SteppedDoubles(Taking):
    """Arrays of eight-byte elements with a step are read as if they were compact."""

    odd = Rotated

    def concerned(self, look):
        compact = doubles.row_major(look["shape"])
        return look["dtype"][1] == 64 and look["strides"] and tuple(look["strides"]) != tuple(compact)


class PickyStrides(Taking):
    """Requires the strides of axes with one element to be row-major in a copy."""

    def from_dlpack(self, source, copy=None, device=None):
        self.copying = copy
        return super().from_dlpack(source, copy, device)

    def concerned(self, look):
        if self.copying and 77 in (look["strides"] or ()):
            raise BufferError("strides that lead nowhere")
        return False


class EmptyForgotten(Taking):
    """The early way out for arrays without elements forgets the release."""

    fault_of_odd = "never released"

    def concerned(self, look):
        return 0 in look["shape"] and look["version"] is not None


class ScalarsTwice(Taking):
    """Read-only scalars are released by the value that was read, and by the import."""

    fault_of_odd = "released twice"

    def concerned(self, look):
        return not look["shape"] and (look["flags"] or 0) & 1


class SwappedParts(Taking):
    """The loop over complex elements with a step has the parts in the other order."""

    class odd(doubles.Import):
        def read(self, look, capsule):
            data = super().read(look, capsule)
            return b"".join(data[at + 4 : at + 8] + data[at : at + 4] for at in range(0, len(data), 8))

    def concerned(self, look):
        return look["dtype_name"] == "complex64" and 0 not in look["shape"] and look["version"] is None


class NameAfterFailure(Taking):
    """An import that follows a failed one leaves the capsule its name and destructor."""

    failed = False
    fault_of_odd = "versioned not renamed"

    def from_dlpack(self, source, copy=None, device=None):
        try:
            return super().from_dlpack(source, copy, device)
        except BaseException:
            self.failed = True
            raise

    def concerned(self, look):
        failed, self.failed = self.failed, False
        return failed


class CopiesHold(Taking):
    """copy=True copies once more, and forgets the first copy."""

    def from_dlpack(self, source, copy=None, device=None):
        self.copying = copy
        return super().from_dlpack(source, copy, device)

    fault_of_odd = "never released"

    def concerned(self, look):
        return self.copying


class BooleansAsBytes(Taking):
    """A read-only array of booleans goes on as one of bytes."""

    plain = Onward

    class odd(Onward):
        def __dlpack__(self, **keywords):
            capsule = super().__dlpack__(**keywords)
            doubles.Taken(capsule, rename=False).tensor.code = 1
            return capsule

    def concerned(self, look):
        return look["dtype_name"] == "bool"


class ReleasedOnWorkers(Taking):
    """On another thread the import is over when from_dlpack returns."""

    fault_of_odd = "released at once"

    def concerned(self, look):
        return threading.current_thread() is not threading.main_thread() and 0 not in look["shape"]


class ShortsAligned(Taking):
    """Takes int16 to begin at a multiple of four bytes."""

    class odd(doubles.Import):
        def read(self, look, capsule):
            data = super().read(look, capsule)
            return ctypes.string_at(self.place & ~3, len(data)) if self.place & 2 else data

    def concerned(self, look):
        compact = tuple(look["strides"] or ()) == tuple(doubles.row_major(look["shape"]))
        return look["dtype_name"] == "int16" and compact and 0 not in look["shape"]


class FourAxes(Taking):
    """Reads the axes after the fourth backwards."""

    class odd(doubles.Import):
        def read(self, look, capsule):
            return super().read(look, capsule)[::-1]

    def concerned(self, look):
        return 4 < len(look["shape"]) < 30 and look["version"] is None


class OneBuffer(Taking):
    """While an import of float32 lives, the next one shows its elements."""

    held = None

    def take(self, capsule):
        made = super().take(capsule)
        if made.look["dtype_name"] == "float32" and made.look["version"] is None:
            last, OneBuffer.held = OneBuffer.held, made.bytes
            if last and len(last) == len(made.bytes):
                made.bytes, made.live = last[::-1], False
        return made


class WritableOnward(Taking):
    """The export of an import with a step forgets that it is read-only."""

    plain = Onward

    class odd(Onward):
        def __dlpack__(self, **keywords):
            capsule = super().__dlpack__(**keywords)
            doubles.Taken(capsule, rename=False).struct.flags &= ~1
            return capsule

    def concerned(self, look):
        return (look["flags"] or 0) & 1


class ZeroStepOnce(Taking):
    """Takes the extent of an axis with stride 0 in a legacy struct to be 1."""

    class odd(doubles.Import):
        def read(self, look, capsule):
            data = super().read(look, capsule)
            return data[: len(data) // 2] + bytes(len(data) - len(data) // 2)

    def concerned(self, look):
        return 0 in (look["strides"] or ()) and look["version"] is None and 0 not in look["shape"]


# Class, the rules that name the fault.
FAULTS = (
    (OffsetOfLegacyViews, ("tensor.byte-offset-honoured",)),
    (SteppedDoubles, ("tensor.element-address",)),
    (PickyStrides, ("tensor.strides-extent1-ignored",)),
    (EmptyForgotten, ("managed.deleter-once",)),
    (ScalarsTwice, ("managed.deleter-once",)),
    (SwappedParts, ("tensor.element-address", "dtype.complex-interleaved")),
    (NameAfterFailure, ("capsule.renamed-versioned",)),
    (CopiesHold, ("managed.deleter-once",)),
    (BooleansAsBytes, ("dtype.roundtrip", "dtype.no-silent-reinterpret")),
    (ReleasedOnWorkers, ("managed.not-early",)),
    (ShortsAligned, ("tensor.byte-offset-unaligned", "tensor.element-address", "tensor.byte-offset-honoured")),
    (FourAxes, ("tensor.element-address",)),
    (OneBuffer, ("tensor.element-address",)),
    (WritableOnward, ("flags.read-only-propagated",)),
    (ZeroStepOnce, ("tensor.strides-zero-ok",)),
)
