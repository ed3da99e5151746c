"""Toy consumers with one fault each in the keywords of from_dlpack, and in what they do with errors and flags."""

import toys


class NoKeywords(toys.Consumer):
    def from_dlpack(self, source):
        return super().from_dlpack(source)


class Disclaims(toys.Consumer):
    def from_dlpack(self, source, **keywords):
        if keywords:
            raise NotImplementedError("the library has no keywords")
        return super().from_dlpack(source)


class NoNone(toys.Consumer):
    def from_dlpack(self, source, **keywords):
        if keywords == {"device": None, "copy": None}:
            raise ValueError("say what you want")
        return super().from_dlpack(source)


class AnyDevice(toys.Consumer):
    def from_dlpack(self, source, copy=None, device=None):
        return super().from_dlpack(source, copy)


class TypeErrors(toys.Consumer):
    def from_dlpack(self, source, **keywords):
        if not hasattr(source, "__dlpack__"):
            raise TypeError("not a tensor")
        return super().from_dlpack(source, **keywords)


class Wraps(toys.Consumer):
    def ask(self, source):
        try:
            return super().ask(source)
        except Exception as error:
            raise RuntimeError("no import") from error


class AsksTheDevice(toys.Consumer):
    def ask(self, source):
        source.__dlpack_device__()
        return super().ask(source)


class HidesTheDevice(toys.Consumer):
    def ask(self, source):
        try:
            source.__dlpack_device__()
        except Exception:
            pass
        return super().ask(source)


class AnyWidth(toys.Consumer):
    def from_dlpack(self, source, **keywords):
        capsule = self.ask(source)
        if toys.native.look(capsule)["dtype"][0] == 16:
            return toys.AnyImport()
        return toys.ToyImport(capsule, "")


class Exporting(toys.ToyImport):
    """An import that goes on to others, from the same memory."""

    flags = 1

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        capsule = toys.native.Offer("float32", self.look["shape"], contents=self.bytes, flags=self.flags).capsule()
        place = toys.Taken(capsule, rename=False).address + 32
        toys.ctypes.c_void_p.from_address(place).value = self.place
        return capsule


class ForgetsReadOnly(Exporting):
    flags = 0


class Onward(toys.Consumer):
    kind = Exporting

    def from_dlpack(self, source, **keywords):
        return self.kind(self.ask(source), "")


class OnwardWritable(Onward):
    kind = ForgetsReadOnly
