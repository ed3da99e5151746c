"""Producers with faults of real libraries behind one condition each: measured, and no check is made for them."""

import ctypes
import threading

from exhibits import doubles


def tensor_in(capsule):
    return doubles.Taken(capsule, rename=False).tensor


class Edited(doubles.Array):
    """An export whose struct is edited where `concerned` says so."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = doubles.Taken(capsule, rename=False)
        if self.concerned(taken, keywords):
            self.edit(taken)
        return capsule

    def concerned(self, taken, keywords):
        return True

    def edit(self, taken):
        raise NotImplementedError

    def numbers(self, place):
        return (ctypes.c_int64 * len(self.order.shape)).from_address(place)


class AxesOfTheBase(Edited):
    """A permuted array of three axes goes out with its strides in falling order, as its base had them."""

    def concerned(self, taken, keywords):
        return len(self.order.shape) == 3

    def edit(self, taken):
        strides = self.numbers(taken.tensor.strides)
        strides[:] = sorted(strides, key=abs, reverse=True)


class CopiesStayReadOnly(Edited):
    """Hands over the flags of the array with those of the copy."""

    def concerned(self, taken, keywords):
        return keywords.get("copy") and taken.versioned and self.order.readonly

    def edit(self, taken):
        taken.struct.flags |= 1


class OffsetTwice(Edited):
    """In legacy structs `data` has moved already, and byte_offset is set as well."""

    def concerned(self, taken, keywords):
        return not taken.versioned and self.order.offset

    def edit(self, taken):
        taken.tensor.data += taken.tensor.byte_offset


class BooleansOfOldReaders(Edited):
    """Booleans are unsigned bytes for who asks for no version."""

    def concerned(self, taken, keywords):
        return not taken.versioned and self.order.dtype == "bool"

    def edit(self, taken):
        taken.tensor.code = 1


class ScalarsOfOneAxis(Edited):
    """A scalar of eight bytes is an array of one element."""

    shapes = []

    def concerned(self, taken, keywords):
        return not self.order.shape and self.order.dtype.endswith("64")

    def edit(self, taken):
        self.shapes.append((ctypes.c_int64 * 2)(1, 1))
        place = ctypes.addressof(self.shapes[-1])
        taken.tensor.ndim, taken.tensor.shape, taken.tensor.strides = 1, place, place + 8


class EmptyIsOne(Edited):
    """Copies of arrays without elements lead to address 1, as some allocators answer."""

    def concerned(self, taken, keywords):
        return keywords.get("copy") and 0 in self.order.shape

    def edit(self, taken):
        taken.tensor.data = 1


class CopiedForGood(Edited):
    """After one copy every export is called one."""

    copied_before = False

    def concerned(self, taken, keywords):
        before, self.copied_before = self.copied_before, self.copied_before or bool(keywords.get("copy"))
        return before and taken.versioned and not keywords.get("copy")

    def edit(self, taken):
        taken.struct.flags |= 2


class LegacyForGood(doubles.Array):
    """Who has asked for a legacy capsule once gets no others."""

    asked_plainly = False

    def answer(self, max_version, copy):
        if max_version is None:
            self.asked_plainly = True
        return super().answer(None if self.asked_plainly and not self.order.readonly else max_version, copy)


class DeviceOfTheThread(Edited):
    """Numbers the host by the thread."""

    def concerned(self, taken, keywords):
        return threading.current_thread() is not threading.main_thread()

    def edit(self, taken):
        taken.tensor.device_id = 1


class SignedWhenShared(Edited):
    """uint64 goes out as int64 when copy=False is asked for."""

    def concerned(self, taken, keywords):
        return keywords.get("copy") is False and self.order.dtype == "uint64"

    def edit(self, taken):
        taken.tensor.code = 0


class HalfComplexOnceReleased(Edited):
    """The second export of a complex array has the width of its parts."""

    exported = 0

    def concerned(self, taken, keywords):
        self.exported += 1
        return self.exported > 1 and self.order.dtype == "complex128"

    def edit(self, taken):
        taken.tensor.bits = 64


class CopiesFromTheBase(doubles.Array):
    """A copy of an array that begins later begins with the base."""

    def of_copies(self):
        if not self.order.offset or len(self.order.shape) != 1:
            return {}
        return {"contents": self.order.bytes[-4:] + self.order.bytes[:-4]}


class WritableForItsDevice(Edited):
    """The path of dl_device forgets READ_ONLY."""

    def concerned(self, taken, keywords):
        return taken.versioned and keywords.get("dl_device") and self.order.readonly

    def edit(self, taken):
        taken.struct.flags &= ~1


class FlagsOfTheRefusal(Edited):
    """What was noted for a request that failed goes out with the next export."""

    failed = False

    def __dlpack__(self, **keywords):
        try:
            return super().__dlpack__(**keywords)
        except BufferError:
            self.failed = True
            raise

    def concerned(self, taken, keywords):
        return self.failed and taken.versioned

    def edit(self, taken):
        taken.struct.flags |= 1 << 20


class ShapeOfTheNewest(doubles.Array):
    """Exports of high rank share one table of extents, which the first release clears."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        if len(self.order.shape) < 5:
            return capsule
        first, self.place = getattr(self, "place", None), tensor_in(capsule).shape

        def release(address, old):
            if first:
                ctypes.c_int64.from_address(first).value = 7
            old(address)

        return doubles.set_deleter(capsule, release) if first else capsule


# Class, the rules that name the fault.
FAULTS = (
    (AxesOfTheBase, ("tensor.element-address", "tensor.row-major-dims")),
    (CopiesStayReadOnly, ("python.copy-true-mutable", "flags.read-only-truthful")),
    (OffsetTwice, ("tensor.element-address",)),
    (BooleansOfOldReaders, ("dtype.truthful",)),
    (ScalarsOfOneAxis, ("tensor.shape-truthful",)),
    (EmptyIsOne, ("tensor.data-null-when-empty",)),
    (CopiedForGood, ("flags.is-copied-honest",)),
    (LegacyForGood, ("python.max-version-1-versioned", "capsule.name-versioned")),
    (DeviceOfTheThread, ("device.id-zero-host",)),
    (SignedWhenShared, ("dtype.truthful",)),
    (HalfComplexOnceReleased, ("dtype.truthful",)),
    (CopiesFromTheBase, ("python.copy-true", "tensor.element-address")),
    (WritableForItsDevice, ("flags.read-only-set",)),
    (FlagsOfTheRefusal, ("flags.undefined-bits-zero",)),
    (ShapeOfTheNewest, ("tensor.metadata-constant", "managed.exports-independent")),
)
