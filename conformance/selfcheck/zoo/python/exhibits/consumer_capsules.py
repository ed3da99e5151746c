"""Consumers with one fault each in what they do with the capsule, and in what a failure leaves."""

import ctypes
import threading

from exhibits import doubles
from exhibits.consumer_requests import Questioned


# What they make of the answer.
class Expecting(doubles.Consumer):
    """Remembers what it asked for."""

    def ask(self, source, copy=None):
        seen = []
        capsule = super().ask(Questioned(source, lambda asked: seen.append(asked) or asked), copy)
        self.expected = "dltensor_versioned" if "max_version" in seen[-1] else "dltensor"
        return capsule


class Trusting(Expecting):
    """Takes what it asked for, whatever the capsule is named: the elements of another struct are no elements."""

    def take(self, capsule):
        made = super().take(capsule)
        if made.look["name"] != self.expected:
            made.bytes, made.live = made.bytes[::-1], False
        return made


class KnowsTheTuple(doubles.Consumer):
    """Remembers what __dlpack_device__ says."""

    def ask(self, source, copy=None):
        self.device = source.__dlpack_device__()
        return super().ask(source, copy)


class TrustsTheTuple(KnowsTheTuple):
    """Looks at the device of the tuple alone."""

    def take(self, capsule):
        if self.device != (1, 0):
            raise BufferError("not in host memory")
        return Anywhere(capsule, "")


class Anywhere(doubles.Import):
    def check(self, look, capsule):
        super().check({**look, "device": (1, 0)}, capsule)

    def read(self, look, capsule):
        return ctypes.string_at(self.place, 48) if look["device"][0] != 1 else super().read(look, capsule)


class Moved(doubles.Import):
    def __dlpack_device__(self):
        return (2, 0)


class Moves(doubles.Consumer):
    def take(self, capsule):
        return Moved(capsule, "")


class NamesTheDevice(doubles.Consumer):
    """Its imports say their device by an Enum, as the rule on the tuple allows."""

    def take(self, capsule):
        return Named(capsule, "")


class Named(doubles.Import):
    def __dlpack_device__(self):
        return (doubles.Device.CPU, 0)


# What they do with the capsule.
class Later:
    """An import that consumes its capsule when it is first read."""

    def __init__(self, capsule):
        look = doubles.native.look(capsule)
        if look["name"] not in ("dltensor", "dltensor_versioned"):
            raise BufferError("not a capsule of a tensor")
        self.capsule = capsule
        self.array = None

    def now(self):
        if self.array is None:
            self.array = doubles.Import(self.capsule, "")
            self.capsule = None
        return self.array.now()

    def write(self, data):
        self.now()
        self.array.write(data)

    def __dlpack_device__(self):
        return (1, 0)


class ConsumesLater(doubles.Consumer):
    def take(self, capsule):
        return Later(capsule)


class HeldCapsule(doubles.Import):
    """Lives on a capsule that it leaves as it was."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, "not renamed")
        self.fault = ""
        self.capsule = capsule
        del self.taken


class HoldsTheCapsule(doubles.Consumer):
    def take(self, capsule):
        return HeldCapsule(capsule, "")


# The name that a consumed capsule of the other generation has.
SWAPPED = {True: b"used_dltensor", False: b"used_dltensor_versioned"}


def misname(capsule, made, versioned):
    """Gives a consumed capsule of this generation the other one's name."""
    if made.taken.versioned == versioned:
        doubles.Taken.set_name(capsule, SWAPPED[versioned])
    return made


class MisnamesLegacy(doubles.Consumer):
    def take(self, capsule):
        return misname(capsule, super().take(capsule), False)


class MisnamesVersioned(doubles.Consumer):
    def take(self, capsule):
        return misname(capsule, super().take(capsule), True)


class NamesInPassing(doubles.Consumer):
    """The new name of the capsule is in memory that is freed at once."""

    def take(self, capsule):
        made = super().take(capsule)
        doubles.Taken.set_name(capsule, b"used_" + made.look["name"].encode())
        return made


class CutRank(doubles.Import):
    def read(self, look, capsule):
        return super().read(look, capsule)[:4] if len(look["shape"]) > 32 else super().read(look, capsule)


class CutsTheRank(doubles.Consumer):
    """Keeps 32 dimensions of more."""

    def take(self, capsule):
        return CutRank(capsule, "")


class NoShorts(doubles.Library):
    """Has arrays of 16 bits, and imports none."""

    def take(self, capsule):
        if doubles.native.look(capsule)["dtype"][1] == 16:
            raise BufferError("no such dtype")
        return super().take(capsule)


# What a failure leaves.
class LeaksOddWidths(doubles.Consumer):
    """Takes a tensor over, and then finds that its elements have an odd width."""

    def take(self, capsule):
        if (doubles.native.look(capsule)["dtype"] or (0, 0))[1] == 24:
            doubles.Taken(capsule)
            raise BufferError("no such width")
        return super().take(capsule)


class ChecksLate(doubles.Consumer):
    """Takes over, finds that the device is not there, and gives up."""

    def from_dlpack(self, source, copy=None, device=None):
        made = self.take(self.ask(source, copy))
        if device is not None:
            raise ValueError("there is no such device")
        return made


class RenamesLate(ChecksLate):
    """Would have changed the capsule's name afterwards."""

    def from_dlpack(self, source, copy=None, device=None):
        capsule = self.ask(source, copy)
        if device is not None:
            doubles.native.look(capsule)["name"]
            doubles.Taken(capsule, rename=False).release()
            raise ValueError("there is no such device")
        return self.take(capsule)


class ElsewhereImport(doubles.Import):
    """Released by another thread, after a while."""

    def __del__(self):
        if hasattr(self, "taken"):
            threading.Timer(0.02, self.taken.release).start()


class ReleasesElsewhere(doubles.Consumer):
    def take(self, capsule):
        return ElsewhereImport(capsule, "")


class CopiedImport(doubles.Import):
    """Copies the elements, and releases the tensor on another thread, after the import."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, "copies later")
        taken = self.taken
        del self.taken
        self.live = False
        threading.Timer(0.02, taken.release).start()

    def write(self, data):
        self.bytes = data


class CopiesElsewhere(doubles.Consumer):
    def from_dlpack(self, source, copy=None, device=None):
        if copy is False:
            raise ValueError("always a copy")
        return super().from_dlpack(source, copy, device)

    def take(self, capsule):
        return CopiedImport(capsule, "")


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("managed.error-releases", "consumer", "LeaksOddWidths", "doubles.Consumer"),
    ("capsule.renamed-legacy", "consumer", "MisnamesLegacy", "doubles.Consumer"),
    ("capsule.renamed-versioned", "consumer", "MisnamesVersioned", "doubles.Consumer"),
    ("capsule.renamed-versioned", "consumer", "HoldsTheCapsule", "doubles.Consumer"),
    ("capsule.rename-before-failure-points", "consumer", "RenamesLate", "ChecksLate"),
    ("capsule.consumed-immediately", "consumer", "ConsumesLater", "doubles.Consumer"),
    ("python.consumer-verifies-version", "consumer", "Trusting", "Expecting"),
    ("python.from-dlpack-same-device", "consumer", "Moves", "doubles.Consumer"),
    ("python.consumer-no-reliance-on-device-call", "consumer", "TrustsTheTuple", "KnowsTheTuple"),
    ("dtype.array-api-set", "consumer", "NoShorts", "doubles.Library"),
    ("tensor.ndim-cap-refused", "consumer", "CutsTheRank", "doubles.Consumer"),
    ("capsule.names-static", "consumer", "NamesInPassing", "doubles.Consumer"),
)
