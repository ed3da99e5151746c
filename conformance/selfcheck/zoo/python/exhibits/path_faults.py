"""Test doubles whose one fault shows on one path alone: of one layout, of one generation, of copies, of one number."""

from exhibits import consumer_keywords, doubles, producer_elements

# --- consumers


class Reading(doubles.Consumer):
    """Reads rightly, but for the tensors that `misread` names."""

    def misread(self, look):
        return False

    def take(self, capsule):
        return _Read(capsule, self.misread)


class _Read(doubles.Import):
    def __init__(self, capsule, misread):
        self.misread = misread
        super().__init__(capsule, "")

    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[::-1] if self.misread(look) else data


class OffsetInAByte(Reading):
    def misread(self, look):
        return look["byte_offset"] > 255


class OffsetForgottenBackwards(Reading):
    def misread(self, look):
        return look["byte_offset"] and min(look["strides"] or (0,), default=0) < 0


class OffsetForgottenOfScalars(Reading):
    def misread(self, look):
        return look["byte_offset"] and look["shape"] == ()


class OffsetForgottenOfReadOnly(Reading):
    def misread(self, look):
        return look["byte_offset"] and (look["flags"] or 0) & 1


class OffsetForgottenWhenCopying(Reading):
    def from_dlpack(self, source, copy=None, device=None):
        if not copy or device is not None:
            return super().from_dlpack(source, copy, device)
        return _Read(self.ask(source, copy), lambda look: look["byte_offset"])


class UnknownOfLegacy(doubles.Consumer):
    """Looks at the dtype of versioned structs only."""

    def take(self, capsule):
        look = doubles.native.look(capsule)
        if look["generation"] == "legacy" and look["dtype"] and look["dtype"][0] == 200:
            return doubles.AnyImport()
        return super().take(capsule)


class NewerMinorKept(doubles.Consumer):
    """Never releases what comes in a struct of a newer minor version."""

    def take(self, capsule):
        made = super().take(capsule)
        if made.look["version"] and made.look["version"][1] > 3:
            made.release = lambda: None
        return made


class Pairs(consumer_keywords.Exporting):
    """Complex numbers as pairs of real ones, along one more axis."""

    def dtype(self):
        return {"complex64": "float32", "complex128": "float64"}.get(super().dtype(), super().dtype())

    @property
    def look(self):
        told = self.told
        if not told["dtype_name"].startswith("complex"):
            return told
        return {**told, "shape": (*told["shape"], 2), "strides": None}

    @look.setter
    def look(self, told):
        self.told = told


class TakesPairs(consumer_keywords.Onward):
    kind = Pairs


# --- producers


class CopiesWithoutStrides(doubles.Array):
    def of_copies(self):
        return {"strides": None}


class CopiesOnAnotherHost(doubles.Array):
    def of_copies(self):
        return {"device": (1, 1)}


class CopiesPlanar(doubles.Array):
    def of_copies(self):
        return {"contents": producer_elements.planar(self.order)}


class CopiesShiftedBackwards(doubles.Array):
    """Copies arrays with negative strides from the wrong end."""

    def of_copies(self):
        backwards = any(stride < 0 < extent - 1 for stride, extent in zip(self.order.strides or (), self.order.shape))
        return {"contents": self.order.bytes[::-1]} if backwards else {}


class Pending(doubles.Array):
    """Elements that are computed for each export anew."""

    cannot = BufferError

    def answer(self, max_version, copy):
        if copy is False:
            raise self.cannot("this array has no memory")
        return super().answer(max_version, True)


class PendingByValue(Pending):
    cannot = ValueError


class Pends(doubles.Producer):
    """Clean: its arrays have such a twin."""

    pending = Pending

    def states(self, array):
        return {"pending": self.pending(array.order)}


class PendsByValue(Pends):
    pending = PendingByValue


class Computed(doubles.Array):
    """Is computed when it is made."""

    is_computed = True

    def fields(self):
        return {} if self.is_computed else {"contents": bytes(len(self.order.bytes))}


class Uncomputed(Computed):
    """Is computed when it is read. What is exported before shows what the memory held."""

    is_computed = False


class Computes(Pends):
    """Clean: computes what is read, if it has not been."""

    pending = Computed

    def contents(self, array):
        if isinstance(array, Computed) and not array.is_computed:
            array.is_computed, array.offers = True, {}
        return super().contents(array)


class ExportsUncomputed(Computes):
    pending = Uncomputed


class AnyFalseStream(doubles.Array):
    """Refuses streams by `if stream`."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return super().__dlpack__(stream=stream or None, max_version=max_version, dl_device=dl_device, copy=copy)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("tensor.byte-offset-honoured", "consumer", "OffsetInAByte", "Reading"),
    ("tensor.byte-offset-honoured", "consumer", "OffsetForgottenBackwards", "Reading"),
    ("tensor.byte-offset-honoured", "consumer", "OffsetForgottenOfScalars", "Reading"),
    ("tensor.byte-offset-honoured", "consumer", "OffsetForgottenOfReadOnly", "Reading"),
    ("tensor.byte-offset-honoured", "consumer", "OffsetForgottenWhenCopying", "Reading"),
    ("version.unknown-values-rejected", "consumer", "UnknownOfLegacy", "doubles.Consumer"),
    ("managed.deleter-once", "consumer", "NewerMinorKept", "doubles.Consumer"),
    ("dtype.no-silent-reinterpret", "consumer", "TakesPairs", "consumer_keywords.Onward"),
    ("tensor.strides-not-null", "producer", "CopiesWithoutStrides", "doubles.Array"),
    ("device.id-zero-host", "producer", "CopiesOnAnotherHost", "doubles.Array"),
    ("dtype.complex-interleaved", "producer", "CopiesPlanar", "doubles.Array"),
    ("python.copy-true", "producer", "CopiesShiftedBackwards", "doubles.Array"),
    ("python.copy-false-error", "producer", "PendsByValue", "Pends"),
    ("tensor.element-address", "producer", "ExportsUncomputed", "Computes"),
    ("stream.cpu-none", "producer", "AnyFalseStream", "doubles.Array"),
)
