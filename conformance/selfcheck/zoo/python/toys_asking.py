"""Toy consumers with one fault each in how they ask, in what they do with the capsule, and in what a failure leaves."""

import ctypes
import threading

import toys

# How they ask.


class Asking(toys.Consumer):
    """Asks as `wishes` changes the question."""

    def wishes(self, source, asked):
        return asked

    def ask(self, source, copy=None):
        return super().ask(Questioned(source, lambda asked: self.wishes(source, asked)), copy)


class Questioned:
    """Forwards to a source what `change` makes of the question."""

    def __init__(self, source, change):
        self.__dlpack_device__ = source.__dlpack_device__
        self._source = source
        self._change = change

    def __dlpack__(self, **asked):
        return self._source.__dlpack__(**self._change(asked))


class IgnoresCopy(toys.Consumer):
    def ask(self, source, copy=None):
        return super().ask(source)


class FalseIsNone(toys.Consumer):
    """copy=False is asked as if it were None."""

    def ask(self, source, copy=None):
        return super().ask(source, copy or None)


class AsksAgain(toys.Consumer):
    """copy=False that cannot be had is given up."""

    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except BufferError:
            if copy is not False:
                raise
            return super().ask(source)


class CopiesAllTheSame(toys.Consumer):
    """copy=False is a copy of its own."""

    def from_dlpack(self, source, copy=None, device=None):
        if copy is False:
            return toys.ToyImport(self.ask(source, copy), "copies")
        return super().from_dlpack(source, copy, device)


class OtherError(toys.Consumer):
    """copy=False that cannot be had is a RuntimeError."""

    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except BufferError as error:
            if copy is False and "cannot be shared" in str(error):
                raise RuntimeError("no copies") from None
            raise


class DropsCopy(toys.Consumer):
    """An exporter that does not know the keyword is asked without it."""

    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except TypeError:
            return source.__dlpack__()


class MasksTypeError(toys.Consumer):
    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except TypeError:
            raise BufferError("not an exporter") from None


class WrapsBufferError(toys.Consumer):
    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except BufferError:
            raise RuntimeError("no export") from None


class ForeignKeyword(Asking):
    def wishes(self, source, asked):
        return {**asked, "priority": 1}


class AsksForTwo(Asking):
    def wishes(self, source, asked):
        return {**asked, "max_version": (2, 0)} if "max_version" in asked else asked


class AsksForZero(Asking):
    def wishes(self, source, asked):
        return {**asked, "max_version": (0, 8)} if "max_version" in asked else asked


class AsksForMuch(Asking):
    def wishes(self, source, asked):
        return {**asked, "max_version": (1, 99)} if "max_version" in asked else asked


class AsksInAList(Asking):
    def wishes(self, source, asked):
        return {**asked, "max_version": [1, 3]} if "max_version" in asked else asked


class DeviceInAList(Asking):
    def wishes(self, source, asked):
        on_host = source.__dlpack_device__()[0] == 1
        return {**asked, "dl_device": [1, 0]} if on_host and "max_version" in asked else asked


class ForwardsTheDevice(Asking):
    """Hands the device of an import on as it was given: whoever gives another word than dl_device takes asks wrongly."""

    def from_dlpack(self, source, copy=None, device=None):
        self.given = device
        return super().from_dlpack(source, copy)

    def wishes(self, source, asked):
        return asked if self.given is None else {**asked, "dl_device": self.given}


class ForwardsItsWord(ForwardsTheDevice, toys.Library):
    """Hands on the word that its own arrays have for their device."""

    def make(self, order):
        array = super().make(order)
        array.device = "cpu"
        return array


class StreamForTheHost(Asking):
    def wishes(self, source, asked):
        return {"stream": 1, **asked}


class BelowTheRange(Asking):
    def wishes(self, source, asked):
        return {**asked, "stream": -2} if "stream" in asked else asked


class ZeroForCuda(Asking):
    def wishes(self, source, asked):
        return {**asked, "stream": 0} if "stream" in asked else asked


class OneForRocm(Asking):
    def wishes(self, source, asked):
        return {**asked, "stream": 1} if "stream" in asked else asked


class StreamObject(Asking):
    def wishes(self, source, asked):
        return {**asked, "stream": object()} if "stream" in asked else asked


class NoStream(Asking):
    def wishes(self, source, asked):
        return {**asked, "stream": None}


class ToTheHost(Asking):
    """Asks for host memory, and names no stream: there is none."""

    def wishes(self, source, asked):
        if source.__dlpack_device__()[0] == 1 or "copy" not in asked:
            return asked
        return {**asked, "dl_device": (1, 0), "stream": None}


class ToTheHostOnAStream(ToTheHost):
    def wishes(self, source, asked):
        asked = super().wishes(source, asked)
        return {**asked, "stream": 1} if asked.get("dl_device") else asked


# What they make of the answer.


class Expecting(toys.Consumer):
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


class KnowsTheTuple(toys.Consumer):
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


class Anywhere(toys.ToyImport):
    def check(self, look, capsule):
        super().check({**look, "device": (1, 0)}, capsule)

    def read(self, look, capsule):
        return ctypes.string_at(self.place, 48) if look["device"][0] != 1 else super().read(look, capsule)


class Moved(toys.ToyImport):
    def __dlpack_device__(self):
        return (2, 0)


class Moves(toys.Consumer):
    def take(self, capsule):
        return Moved(capsule, "")


class NamesTheDevice(toys.Consumer):
    """Its imports say their device by an Enum, as the rule on the tuple allows."""

    def take(self, capsule):
        return Named(capsule, "")


class Named(toys.ToyImport):
    def __dlpack_device__(self):
        return (toys.Device.CPU, 0)


# What they do with the capsule.


class Later:
    """An import that consumes its capsule when it is first read."""

    def __init__(self, capsule):
        look = toys.native.look(capsule)
        if look["name"] not in ("dltensor", "dltensor_versioned"):
            raise BufferError("not a capsule of a tensor")
        self.capsule = capsule
        self.array = None

    def now(self):
        if self.array is None:
            self.array = toys.ToyImport(self.capsule, "")
            self.capsule = None
        return self.array.now()

    def write(self, data):
        self.now()
        self.array.write(data)

    def __dlpack_device__(self):
        return (1, 0)


class ConsumesLater(toys.Consumer):
    def take(self, capsule):
        return Later(capsule)


class HeldCapsule(toys.ToyImport):
    """Lives on a capsule that it leaves as it was."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, "not renamed")
        self.fault = ""
        self.capsule = capsule
        del self.taken


class HoldsTheCapsule(toys.Consumer):
    def take(self, capsule):
        return HeldCapsule(capsule, "")


# The name that a consumed capsule of the other generation has.
SWAPPED = {True: b"used_dltensor", False: b"used_dltensor_versioned"}


def misname(capsule, made, versioned):
    """Gives a consumed capsule of this generation the other one's name."""
    if made.taken.versioned == versioned:
        toys.Taken._api.PyCapsule_SetName(id(capsule), SWAPPED[versioned])
    return made


class MisnamesLegacy(toys.Consumer):
    def take(self, capsule):
        return misname(capsule, super().take(capsule), False)


class MisnamesVersioned(toys.Consumer):
    def take(self, capsule):
        return misname(capsule, super().take(capsule), True)


class NamesInPassing(toys.Consumer):
    """The new name of the capsule is in memory that is given back at once."""

    def take(self, capsule):
        made = super().take(capsule)
        toys.Taken._api.PyCapsule_SetName(id(capsule), b"used_" + made.look["name"].encode())
        return made


class CutRank(toys.ToyImport):
    def read(self, look, capsule):
        return super().read(look, capsule)[:4] if len(look["shape"]) > 32 else super().read(look, capsule)


class CutsTheRank(toys.Consumer):
    """Keeps 32 dimensions of more."""

    def take(self, capsule):
        return CutRank(capsule, "")


class NoShorts(toys.Library):
    """Has arrays of 16 bits, and imports none."""

    def take(self, capsule):
        if toys.native.look(capsule)["dtype"][1] == 16:
            raise BufferError("no such dtype")
        return super().take(capsule)


# What a failure leaves.


class LeaksOddWidths(toys.Consumer):
    """Takes a tensor over, and then finds that its elements have an odd width."""

    def take(self, capsule):
        if (toys.native.look(capsule)["dtype"] or (0, 0))[1] == 24:
            toys.Taken(capsule)
            raise BufferError("no such width")
        return super().take(capsule)


class ChecksLate(toys.Consumer):
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
            toys.native.look(capsule)["name"]
            toys.Taken(capsule, rename=False).release()
            raise ValueError("there is no such device")
        return self.take(capsule)


# Odd, and in order.


class AsksTwice(toys.Consumer):
    """The first answer is only looked at."""

    def ask(self, source, copy=None):
        super().ask(source, copy)
        return super().ask(source, copy)


class KeepsBoth(toys.Consumer):
    """Consumes the first of two answers, and leaves the last."""

    def ask(self, source, copy=None):
        first = super().ask(source, copy)
        self.second = super().ask(source, copy)
        return first

    def take(self, capsule):
        try:
            return super().take(capsule)
        finally:
            self.second = None


class ElsewhereImport(toys.ToyImport):
    """Released by another thread, after a while."""

    def __del__(self):
        if hasattr(self, "taken"):
            threading.Timer(0.02, self.taken.release).start()


class ReleasesElsewhere(toys.Consumer):
    def take(self, capsule):
        return ElsewhereImport(capsule, "")


class CopiedImport(toys.ToyImport):
    """Copies the elements, and releases the tensor on another thread, after the import."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, "copies later")
        taken = self.taken
        del self.taken
        self.live = False
        threading.Timer(0.02, taken.release).start()

    def write(self, data):
        self.bytes = data


class CopiesElsewhere(toys.Consumer):
    def from_dlpack(self, source, copy=None, device=None):
        if copy is False:
            raise ValueError("always a copy")
        return super().from_dlpack(source, copy, device)

    def take(self, capsule):
        return CopiedImport(capsule, "")
