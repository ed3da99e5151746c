"""Consumers with one fault each in the keywords of from_dlpack, and in what they do with errors and flags."""

import array
import ctypes
import types

from dlspec_worker.facts import dlpack

from exhibits import doubles


class NoKeywords(doubles.Consumer):
    def from_dlpack(self, source):
        return super().from_dlpack(source)


class Disclaims(doubles.Consumer):
    def from_dlpack(self, source, **keywords):
        if keywords:
            raise NotImplementedError("the library has no keywords")
        return super().from_dlpack(source)


class NoNone(doubles.Consumer):
    def from_dlpack(self, source, **keywords):
        if keywords == {"device": None, "copy": None}:
            raise ValueError("say what you want")
        return super().from_dlpack(source)


class AnyDevice(doubles.Consumer):
    def from_dlpack(self, source, copy=None, device=None):
        return super().from_dlpack(source, copy)


class TypeErrors(doubles.Consumer):
    def from_dlpack(self, source, **keywords):
        if not hasattr(source, "__dlpack__"):
            raise TypeError("not a tensor")
        return super().from_dlpack(source, **keywords)


class Wraps(doubles.Consumer):
    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except AttributeError:
            raise
        except Exception as error:
            if not hasattr(source, "__dlpack__"):
                raise
            raise RuntimeError("no import") from error


class HidesTheDevice(doubles.Consumer):
    def device_of(self, source):
        try:
            return super().device_of(source)
        except Exception:
            return (1, 0)


class AnyWidth(doubles.Consumer):
    def take(self, capsule):
        code, bits, _ = doubles.native.look(capsule)["dtype"]
        if code == 16 and bits != 6:
            return doubles.AnyImport()
        return super().take(capsule)


class PaddedWidths(doubles.Consumer):
    """PADDED is read as if it permitted a float of four bits that says it has eight."""

    def take(self, capsule):
        look = doubles.native.look(capsule)
        if look["dtype"][:2] == (17, 8) and look["flags"] & dlpack.PADDED:
            return doubles.AnyImport()
        return super().take(capsule)


class Exporting(doubles.Import):
    """An import that goes on to others, from the same memory."""

    FLAGS = dlpack.READ_ONLY  # of an export of a read-only import

    def dtype(self):
        return self.look["dtype_name"]

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if self.read_only and self.FLAGS and not max_version:
            raise BufferError("a legacy capsule cannot say that it is read-only")
        look = self.look
        capsule = doubles.native.Offer(
            self.dtype(),
            look["shape"],
            look["strides"],
            contents=self.bytes,
            null_data=not look["data"],
            **({"flags": self.read_only * self.FLAGS} if max_version else {"generation": "legacy"}),
        ).capsule()
        doubles.Taken(capsule, rename=False).tensor.data = self.place
        return capsule


class ForgetsReadOnly(Exporting):
    FLAGS = 0


class Reinterpreting(Exporting):
    def dtype(self):
        return {"int32": "float32"}.get(super().dtype(), super().dtype())


class Onward(doubles.Consumer):
    kind = Exporting

    def take(self, capsule):
        return self.kind(capsule, "")


class OnwardWritable(Onward):
    kind = ForgetsReadOnly


class WithoutReadOnly(OnwardWritable):
    """A library that has no read-only arrays, so that it cannot remember the flag."""

    def make(self, order):
        if order.readonly:
            raise NotImplementedError("the library has no read-only arrays")
        return doubles.Array(order)

    def contents(self, held):
        return bytes(held.held) if isinstance(held, doubles.Array) else super().contents(held)


class Copying(doubles.Import):
    """Reads, releases, and leaves the capsule its name: whoever offers it again has it released again."""

    def __init__(self, capsule, fault):
        doubles.Taken.set_destructor(capsule, None)
        try:
            self.bytes = doubles.native.contents(capsule)
        finally:
            doubles.Taken(capsule, rename=False).release()

    def now(self):
        return self.bytes

    def __del__(self):
        pass


class Retakes(doubles.Consumer):
    def from_dlpack(self, source, **keywords):
        return Copying(self.ask(source), "")


class Halved(doubles.Import):
    """An import in half the precision."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, "")
        self.live, self.bytes = False, self.narrow(self.bytes)

    def narrow(self, data):
        return array.array("f", array.array("d", data)).tobytes()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return doubles.native.Offer("float32", self.look["shape"], contents=self.bytes, generation="legacy").capsule()


class Cut(Halved):
    """The first half of the memory, taken for narrower numbers."""

    def narrow(self, data):
        return data[: len(data) // 2]


class Rounds(doubles.Consumer):
    kind = Halved

    def from_dlpack(self, source, **keywords):
        return self.kind(self.ask(source), "")


class Cuts(Rounds):
    kind = Cut


class Compacted(doubles.Import):
    """Reads elements one after the other, whatever the strides say."""

    def read(self, look, capsule):
        return ctypes.string_at(self.place, len(super().read(look, capsule)))


class Uncertain(doubles.Import):
    """Shows other elements every time."""

    reads = 0

    def now(self):
        self.reads += 1
        return bytes([self.reads]) * len(self.bytes)


class IgnoresStrides(Rounds):
    kind = Compacted


class Guesses(Rounds):
    kind = Uncertain


class Shy(doubles.Import):
    """Shows its elements once."""

    def now(self):
        held, self.bytes = self.bytes, None
        return memoryview(held).tobytes()


class ShowsOnce(Rounds):
    kind = Shy


class InANamespace(doubles.Import):
    """An import that says to which namespace it belongs."""

    functions = {"asarray": bytes, "from_dlpack": bytes}

    def __array_namespace__(self, api_version=None):
        return types.SimpleNamespace(**self.functions)


class InAPoorNamespace(InANamespace):
    functions = {"asarray": bytes}


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("dtype.fp6-fp4-consumer-stops", "consumer", "AnyWidth", "doubles.Consumer"),
    ("dtype.no-silent-reinterpret", "consumer", "Reinterpreting", "Exporting"),
    ("flags.read-only-propagated", "consumer", "OnwardWritable", "Onward"),
    ("python.from-dlpack-propagates", "consumer", "HidesTheDevice", "doubles.Consumer"),
    ("python.from-dlpack-propagates", "consumer", "Wraps", "doubles.Consumer"),
    ("python.from-dlpack-attributeerror", "consumer", "TypeErrors", "doubles.Consumer"),
    ("python.from-dlpack-present", "consumer", "InAPoorNamespace", "InANamespace"),
    ("python.from-dlpack-kwargs", "consumer", "NoKeywords", "doubles.Consumer"),
    ("python.from-dlpack-kwargs", "consumer", "NoNone", "doubles.Consumer"),
    ("python.from-dlpack-device-honoured", "consumer", "AnyDevice", "doubles.Consumer"),
)
