"""Consumers with one fault each in how they call __dlpack__."""

from exhibits import doubles


# How they ask.
class Asking(doubles.Consumer):
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


class IgnoresCopy(doubles.Consumer):
    def ask(self, source, copy=None):
        return super().ask(source)


class FalseIsNone(doubles.Consumer):
    """copy=False is asked as if it were None."""

    def ask(self, source, copy=None):
        return super().ask(source, copy or None)


class AsksAgain(doubles.Consumer):
    """copy=False that cannot be had is given up."""

    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except BufferError:
            if copy is not False:
                raise
            return super().ask(source)


class CopiesAllTheSame(doubles.Consumer):
    """copy=False is a copy of its own."""

    def from_dlpack(self, source, copy=None, device=None):
        if copy is False:
            return doubles.Import(self.ask(source, copy), "copies")
        return super().from_dlpack(source, copy, device)


class NamesTheHost(doubles.Consumer):
    """Clean: knows a name for the device that all its arrays are on."""

    def from_dlpack(self, source, copy=None, device=None):
        return super().from_dlpack(source, self.wish(copy, device), None if device == "cpu" else device)

    def wish(self, copy, device):
        return copy


class MovesAllTheSame(NamesTheHost):
    """Where a device is named, a copy is made for it unless the source shares by itself."""

    def wish(self, copy, device):
        return None if device is not None and copy is False else copy


class OtherError(doubles.Consumer):
    """copy=False that cannot be had is a RuntimeError."""

    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except BufferError as error:
            if copy is False and "cannot be shared" in str(error):
                raise RuntimeError("no copies") from None
            raise


class DropsCopy(doubles.Consumer):
    """An exporter that does not know the keyword is asked without it."""

    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except TypeError:
            return source.__dlpack__()


class MasksTypeError(doubles.Consumer):
    def ask(self, source, copy=None):
        try:
            return super().ask(source, copy)
        except TypeError:
            raise BufferError("not an exporter") from None


class WrapsBufferError(doubles.Consumer):
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
    """Forwards `device` as it was given: a caller whose value is not in dl_device's form makes it ask wrongly."""

    def from_dlpack(self, source, copy=None, device=None):
        self.given = device
        return super().from_dlpack(source, copy)

    def wishes(self, source, asked):
        return asked if self.given is None else {**asked, "dl_device": self.given}


class ForwardsItsWord(ForwardsTheDevice, doubles.Library):
    """Passes the name that its own arrays have for their device to the producer."""

    def make(self, order):
        array = super().make(order)
        array.device = "cpu"
        return array


class Host(str):
    """A device of the library, equal to its name."""


class KnowsWords(ForwardsTheDevice, doubles.Library):
    """Clean: knows its own device and the name of the host."""

    def make(self, order):
        array = super().make(order)
        array.device = Host("cpu")
        return array

    def wishes(self, source, asked):
        if self.given not in (None, "cpu"):
            raise ValueError("there is no such device")
        return asked


class ForwardsWords(KnowsWords):
    """Puts the name that a caller wrote into the pair."""

    def wishes(self, source, asked):
        is_word = isinstance(self.given, str) and not isinstance(self.given, Host)
        return {**asked, "dl_device": (self.given, 0)} if is_word else asked


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


# Odd, and in order.
class AsksTwice(doubles.Consumer):
    """The first answer is only looked at."""

    def ask(self, source, copy=None):
        super().ask(source, copy)
        return super().ask(source, copy)


class KeepsBoth(doubles.Consumer):
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


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("python.consumer-max-version-truthful", "consumer", "AsksForTwo", "Asking"),
    ("python.consumer-max-version-truthful", "consumer", "AsksForZero", "Asking"),
    ("python.consumer-max-version-truthful", "consumer", "AsksForMuch", "Asking"),
    ("python.consumer-max-version-truthful", "consumer", "AsksInAList", "Asking"),
    ("python.consumer-typeerror-retry", "consumer", "ForeignKeyword", "Asking"),
    ("python.consumer-retry-not-masking", "consumer", "DropsCopy", "doubles.Consumer"),
    ("python.consumer-retry-not-masking", "consumer", "MasksTypeError", "doubles.Consumer"),
    ("python.dl-device-format", "consumer", "DeviceInAList", "Asking"),
    ("python.dl-device-format", "consumer", "ForwardsWords", "KnowsWords"),
    ("python.copy-forwarded", "consumer", "IgnoresCopy", "doubles.Consumer"),
    ("python.from-dlpack-copy-false-error", "consumer", "FalseIsNone", "doubles.Consumer"),
    ("python.from-dlpack-copy-false-error", "consumer", "AsksAgain", "doubles.Consumer"),
    ("python.from-dlpack-copy-false-error", "consumer", "CopiesAllTheSame", "doubles.Consumer"),
    ("python.from-dlpack-copy-false-error", "consumer", "MovesAllTheSame", "NamesTheHost"),
    ("python.from-dlpack-copy-false-error", "consumer", "OtherError", "doubles.Consumer"),
    ("python.from-dlpack-propagates", "consumer", "WrapsBufferError", "doubles.Consumer"),
    ("stream.cpu-none", "consumer", "StreamForTheHost", "Asking"),
    ("stream.range", "consumer", "BelowTheRange", "Asking"),
    ("stream.cuda-zero-never-sent", "consumer", "ZeroForCuda", "Asking"),
    ("stream.rocm-values", "consumer", "OneForRocm", "Asking"),
    ("stream.int-type", "consumer", "StreamObject", "Asking"),
    ("stream.explicit-default", "consumer", "NoStream", "Asking"),
    ("stream.valid-for-target", "consumer", "ToTheHostOnAStream", "ToTheHost"),
)
