"""Toys whose one fault shows on one path alone: of one layout, of one generation, of copies, of one number."""

import toys
import toys_arrays
import toys_conversing

# --- consumers


class Reading(toys.Consumer):
    """Reads rightly, but for the tensors that `misread` names."""

    def misread(self, look):
        return False

    def take(self, capsule):
        return _Read(capsule, self.misread)


class _Read(toys.ToyImport):
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
        if not copy:
            return super().from_dlpack(source, copy, device)
        return _Read(self.ask(source, copy), lambda look: look["byte_offset"])


class UnknownOfLegacy(toys.Consumer):
    """Looks at the dtype of versioned structs only."""

    def take(self, capsule):
        look = toys.native.look(capsule)
        if look["generation"] == "legacy" and look["dtype"] and look["dtype"][0] == 200:
            return toys.AnyImport()
        return super().take(capsule)


class NewerMinorKept(toys.Consumer):
    """Never releases what comes in a struct of a newer minor version."""

    def take(self, capsule):
        made = super().take(capsule)
        if made.look["version"] and made.look["version"][1] > 3:
            made.release = lambda: None
        return made


class Pairs(toys_conversing.Exporting):
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


class TakesPairs(toys_conversing.Onward):
    kind = Pairs


# --- producers


class CopiesWithoutStrides(toys.ToyArray):
    def of_copies(self):
        return {"strides": None}


class CopiesOnAnotherHost(toys.ToyArray):
    def of_copies(self):
        return {"device": (1, 1)}


class CopiesPlanar(toys.ToyArray):
    def of_copies(self):
        return {"contents": toys_arrays.planar(self.order)}


class CopiesShiftedBackwards(toys.ToyArray):
    """Copies arrays with negative strides from the wrong end."""

    def of_copies(self):
        backwards = any(stride < 0 < extent - 1 for stride, extent in zip(self.order.strides or (), self.order.shape))
        return {"contents": self.order.bytes[::-1]} if backwards else {}


class AnyFalseStream(toys.ToyArray):
    """Refuses streams by `if stream`."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return super().__dlpack__(stream=stream or None, max_version=max_version, dl_device=dl_device, copy=copy)
