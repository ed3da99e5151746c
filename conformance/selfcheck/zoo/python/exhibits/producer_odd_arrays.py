"""Producers with one fault each in arrays that DLPack cannot express, and in devices."""

import ctypes
import weakref

from exhibits import doubles


# --- odd arrays
class Odd(doubles.Producer):
    """Refuses to export odd arrays, but for the kinds in `exported`, which are of these classes."""

    exported = {}

    def odd(self, kind, order):
        return self.exported.get(kind, doubles.Refused)(order)


class RefusedOtherwise(doubles.Array):
    def __dlpack__(self, **keywords):
        raise TypeError("DLPack has no form for it")


class WrongWhole(doubles.Array):
    fault = "wrong bytes"


class FirstPiece(doubles.Array):
    def fields(self):
        return {"shape": (1, *self.order.shape[1:]), "contents": self.order.bytes[: len(self.order.bytes) // 3]}


class Copied(doubles.Array):
    """Clean: each export is a copy, and none is made where none is wanted."""

    def __dlpack__(self, *, copy=None, **keywords):
        if copy is False:
            raise BufferError("a field of records cannot be shared")
        return super().__dlpack__(copy=True, **keywords)


class AlwaysCopied(doubles.Array):
    def __dlpack__(self, *, copy=None, **keywords):
        return super().__dlpack__(copy=True, **keywords)


class ForeignOrderAsItLies(Odd):
    exported = {"byte-order": WrongWhole}


class RecordsAsTheyLie(Odd):
    exported = {"record-field": WrongWhole}


class DatesAsNumbers(Odd):
    exported = {"dtype": doubles.Array}


class DatesByTypeError(Odd):
    exported = {"dtype": RefusedOtherwise}


class SparseInPart(Odd):
    exported = {"sparse": FirstPiece}


class FirstDevice(Odd):
    exported = {"distributed": FirstPiece}


class CopiesFields(Odd):
    """Copies a field of records, as it may."""

    exported = {"record-field": Copied}


class CopiesFieldsUnasked(CopiesFields):
    """The same where no copy is wanted."""

    exported = {"record-field": AlwaysCopied}


class Copies(Odd):
    """Makes an ordinary array of what is odd, wherever that is possible."""

    exported = {kind: doubles.Array for kind in ("byte-order", "record-field", "sparse", "distributed")}


# --- __dlpack_device__, and what is left when one export goes
class DeviceLocks(doubles.Array):
    """Asking for the device alters the elements."""

    def __dlpack_device__(self):
        self.held[:] = self.held[::-1]
        return (1, 0)


class DeviceKeeps(doubles.Array):
    """Asking for the device leaves a reference to the array."""

    def __dlpack_device__(self):
        doubles.KEPT.append(self)
        return (1, 0)


class KeptWhenRefused(doubles.Array):
    """The first export that is refused holds the memory of the array for ever."""

    is_kept = False

    def __dlpack__(self, **keywords):
        try:
            return super().__dlpack__(**keywords)
        except BufferError:
            if not self.is_kept:
                doubles.KEPT.append(bytearray(512))
            self.is_kept = True
            raise


class LastOneOut(doubles.Array):
    """All exports have one hold on the elements, and the first release after the end of the array gives it back."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        place, alive = doubles.Taken(capsule, rename=False).tensor.data, weakref.ref(self)

        def release(address, old):
            if alive() is None:
                ctypes.memset(place, 0, 4)
            old(address)

        return doubles.set_deleter(capsule, release)


# --- devices
class AnyHost(doubles.Array):
    """Takes every number of a host for its own."""

    def __dlpack__(self, *, dl_device=None, **keywords):
        if isinstance(dl_device, tuple) and dl_device[0] == 1:
            dl_device = (1, 0)
        return super().__dlpack__(dl_device=dl_device, **keywords)


class NoRocm(doubles.Array):
    """Knows one device by name, and refuses it by another exception than the rest."""

    def __dlpack__(self, *, dl_device=None, **keywords):
        if dl_device == (10, 0):
            raise RuntimeError("built without ROCm")
        return super().__dlpack__(dl_device=dl_device, **keywords)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("device.single", "producer", "SparseInPart", "Odd"),
    ("device.single", "producer", "FirstDevice", "Odd"),
    ("dtype.native-endian", "producer", "ForeignOrderAsItLies", "Odd"),
    ("dtype.unsupported-buffererror", "producer", "DatesByTypeError", "Odd"),
    ("tensor.strides-whole-elements", "producer", "RecordsAsTheyLie", "Odd"),
    ("python.copy-false", "producer", "CopiesFieldsUnasked", "CopiesFields"),
    ("managed.owner-balanced", "producer", "KeptWhenRefused", "doubles.Array"),
    ("python.device-cheap", "producer", "DeviceKeeps", "doubles.Array"),
    ("python.dl-device-honoured", "producer", "AnyHost", "doubles.Array"),
    ("python.dl-device-unsupported", "producer", "NoRocm", "doubles.Array"),
)
