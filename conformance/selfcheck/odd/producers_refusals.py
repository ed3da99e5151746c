"""Producers that refuse in unusual ways, or serve more than they must: one row each, with what permits it."""

import threading

from producers import Adapter, Array

ASKED = "array API, __dlpack__, Raises: BufferError, which a subclass is too"


class OneKeywordMore(Array):
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None, read_only=None):
        if read_only:
            raise BufferError("as it is, or not at all")
        return super().__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


class Lists(Array):
    """Takes lists where pairs are meant."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        pairs = [None if each is None else tuple(each) for each in (max_version, dl_device)]
        return super().__dlpack__(stream=stream, max_version=pairs[0], dl_device=pairs[1], copy=copy)


class NoMajorZero(Array):
    def export(self, max_version=None, copy=None):
        if max_version is not None and max_version[0] < 1:
            raise BufferError("nobody asks for that")
        return super().export(max_version, copy)


class NoCopyKeyword(Array):
    def export(self, max_version=None, copy=None):
        if copy is not None:
            raise BufferError("copies are a matter of chance here")
        return super().export(max_version, copy)


class HomeThread(Array):
    """Is exported on the thread that made it; the deleter works everywhere."""

    def __init__(self, order, odd):
        super().__init__(order, odd)
        self.home = threading.current_thread()  # an ident may be another thread's later

    def export(self, max_version=None, copy=None):
        if threading.current_thread() is not self.home:
            raise BufferError("another thread's array")
        return super().export(max_version, copy)


class Refusal(RuntimeError, BufferError):
    """An exception of two families."""


class Mute(BufferError):
    def __str__(self):
        raise RuntimeError("no words")

    __repr__ = __str__


ONLY = BufferError("always this one")


class Refuses(Array):
    """Refuses what it does not serve by exceptions of its own kind."""

    def __dlpack__(self, **keywords):
        try:
            return super().__dlpack__(**keywords)
        except BufferError as refusal:
            self.refuse(refusal)

    def refuse(self, refusal):
        raise Refusal(*refusal.args)


class RefusesMutely(Refuses):
    def refuse(self, refusal):
        raise Mute


class RefusesWithItself(Refuses):
    def refuse(self, refusal):
        raise BufferError("not", self, [self])


class RefusesInChains(Refuses):
    def refuse(self, refusal):
        try:
            raise KeyError(self)
        except KeyError as first:
            raise BufferError from first


class RefusesByOneError(Refuses):
    def refuse(self, refusal):
        raise ONLY.with_traceback(None)


class KeywordErrors(Array):
    """An unknown keyword is a TypeError of its own kind."""

    class Unknown(TypeError, KeyError):
        pass

    def __dlpack__(self, **keywords):
        if not {"stream", "max_version", "dl_device", "copy"}.issuperset(keywords):
            raise self.Unknown(*keywords)
        return super().__dlpack__(**keywords)


ROWS = {
    "one keyword more": (Adapter(OneKeywordMore), "array API, __dlpack__: further keywords are not forbidden"),
    "lists for pairs": (Adapter(Lists), "array API, max_version, dl_device: more may be taken than is demanded"),
    "no version 0": (Adapter(NoMajorZero), "array API, __dlpack__, Notes: BufferError for what is too old"),
    "no copy but None": (Adapter(NoCopyKeyword), "array API, copy: BufferError where it cannot be done"),
    "exports on one thread alone": (
        Adapter(HomeThread),
        "Python specification, Implementation: the deleter works on any thread; of __dlpack__ it is not said",
    ),
    "refusals of two families": (Adapter(Refuses), ASKED),
    "refusals without words": (Adapter(RefusesMutely), ASKED),
    "refusals that hold the array": (Adapter(RefusesWithItself), ASKED),
    "refusals with a cause": (Adapter(RefusesInChains), ASKED),
    "refusals that are one object": (Adapter(RefusesByOneError), ASKED),
    "unknown keywords are errors of two families": (
        Adapter(KeywordErrors),
        "Python: TypeError, which a subclass is too",
    ),
}
