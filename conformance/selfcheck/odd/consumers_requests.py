"""Consumers that ask for an export in unusual ways: one row each, with what permits it."""

import collections
import enum
import threading
import time

import producers
from consumers import LATE, Adapter, Exporting, Import, Taken

HIGHEST = "array API, max_version: the highest that it knows"
ASKED = "array API, __dlpack__: which of its keywords a consumer gives, None among them, is left to it"
DEVICE = "Python specification, Syntax: __dlpack_device__ is offered; nothing says when, or whether, it is asked"


class Device(enum.IntEnum):
    CPU = 1


Version = collections.namedtuple("Version", "major minor")


class Asks(Adapter):
    """Passes `keywords` as they are, and asks for the device `before` and `after` the export, so many times."""

    def __init__(self, keywords, before=1, after=0, **rest):
        super().__init__(**rest)
        self.given, self.before, self.after = keywords, before, after

    def from_dlpack(self, source, *, device=None, copy=None):
        while LATE:
            LATE.pop().release()
        if device is not None:
            raise ValueError("no such device")
        for _ in range(self.before):
            self.look(source)
        capsule = self.capsule_of(source, copy)
        for _ in range(self.after):
            self.look(source)
        return self.kind(Taken(capsule, self.odd), {**self.odd, "copies": True} if copy else self.odd)

    def look(self, source):
        if source.__dlpack_device__()[0] != 1:
            raise BufferError("not in host memory")

    def capsule_of(self, source, copy):
        given = dict(self.given)
        if copy is not None:
            given["copy"] = copy
        try:
            return source.__dlpack__(**given)
        except TypeError:
            if copy is False or "copies" in self.odd:
                raise
            return source.__dlpack__()


class OneByOne(Asks):
    """After a TypeError it leaves out one keyword after another."""

    def capsule_of(self, source, copy):
        given = {"stream": None, "dl_device": None, **self.given, **({} if copy is None else {"copy": copy})}
        for name in ("dl_device", "stream", "max_version"):
            try:
                return source.__dlpack__(**given)
            except TypeError:
                given.pop(name)
        return source.__dlpack__(**given)


class OnAnyError(Asks):
    """Whatever the first request was answered by, it tries the oldest one, too."""

    def capsule_of(self, source, copy):
        if copy is not None:
            return source.__dlpack__(copy=copy, **self.given)
        try:
            return source.__dlpack__(**self.given)
        except Exception:
            return source.__dlpack__()


class LegacyFirst(Asks):
    """Asks for a legacy capsule, and for a versioned one where that is refused."""

    def capsule_of(self, source, copy):
        given = {} if copy is None else {"copy": copy}
        try:
            return source.__dlpack__(**given)
        except BufferError:
            return source.__dlpack__(**given, max_version=(1, 3))


class CopiesItself(Asks):
    """Makes copies on its own, and never copies unless it is asked to: copy is not passed on."""

    def capsule_of(self, source, copy):
        return super().capsule_of(source, False if copy is False else None)


class OfTheType(Asks):
    """Looks the methods up on the type, as the interpreter does for its own."""

    def look(self, source):
        if type(source).__dlpack_device__(source)[0] != 1:
            raise BufferError("not in host memory")

    def capsule_of(self, source, copy):
        given = dict(self.given, **({} if copy is None else {"copy": copy}))
        try:
            return type(source).__dlpack__(source, **given)
        except TypeError:
            if copy is False:
                raise
            return type(source).__dlpack__(source)


class Gathers(Asks):
    """Takes capsules, too, and objects that hold an array."""

    def from_dlpack(self, source, *, device=None, copy=None):
        if type(source).__name__ == "PyCapsule":
            return self.kind(Taken(source, self.odd), self.odd)
        return super().from_dlpack(source, device=device, copy=copy)


class OnAThread(Asks):
    """Imports on a thread of its own, while the caller waits."""

    def from_dlpack(self, source, **keywords):
        came = []

        def importing():
            try:
                came.append(Asks.from_dlpack(self, source, **keywords))
            except BaseException as error:
                came.append(error)

        working = threading.Thread(target=importing)
        working.start()
        working.join()
        result = came.pop()
        if isinstance(result, BaseException):
            try:
                raise result
            finally:
                del result
        return result


class Slow(Asks):
    def capsule_of(self, source, copy):
        time.sleep(0.001)
        return super().capsule_of(source, copy)


class Positional(Asks):
    """A class whose instances are the imports is its from_dlpack."""

    def __init__(self, **rest):
        super().__init__({"max_version": (1, 3)}, **rest)
        outer = self

        class Array(Import):
            def __init__(self, source, /, *, device=None, copy=None):
                if device is not None:
                    raise ValueError("no such device")
                outer.look(source)
                odd = {"copies": True} if copy else {}
                super().__init__(Taken(outer.capsule_of(source, copy), odd), odd)

        self.from_dlpack = Array


class Whole(Asks):
    """Makes arrays, too: a library with both roles, whose imports are arrays like all others."""

    def make(self, order):
        return producers.Array(order, {})

    def contents(self, array):
        return array.contents() if isinstance(array, Import) else array.memory.read()

    def write(self, array, data):
        if isinstance(array, Import):
            array.write(data)
        elif array.readonly:
            raise ValueError("read-only")
        else:
            array.memory.write(data)


class KnowsCpu(Asks):
    """Its device is called "cpu", and its imports say so."""

    class Array(Exporting):
        device = "cpu"

    def __init__(self, **rest):
        super().__init__({"max_version": (1, 3)}, kind=self.Array, **rest)

    def from_dlpack(self, source, *, device=None, copy=None):
        if device not in (None, "cpu"):
            raise ValueError(f"no device {device!r}")
        return super().from_dlpack(source, copy=copy)


class DeviceOnRequest(KnowsCpu):
    """Passes the device on only where the caller named one."""

    def from_dlpack(self, source, *, device=None, copy=None):
        if device is None:
            return super().from_dlpack(source, copy=copy)
        asking = Asks({"max_version": (1, 3), "dl_device": (1, 0)}, kind=self.kind)
        if device != "cpu":
            raise BufferError("no such device")
        return asking.from_dlpack(source, copy=copy)


NEWEST = {"max_version": (1, 3)}
ROWS = {
    "the device is never asked for": (Asks(NEWEST, before=0), DEVICE),
    "the device is asked for twice": (Asks(NEWEST, before=2), DEVICE),
    "the device is asked for when the capsule is there": (Asks(NEWEST, before=0, after=1), DEVICE),
    "it asks for 1.1": (Asks({"max_version": (1, 1)}), HIGHEST),
    "it asks for 1.2": (Asks({"max_version": (1, 2)}), HIGHEST),
    "it asks for 1.99": (Asks({"max_version": (1, 99)}), HIGHEST),
    "the version is a named tuple": (
        Asks({"max_version": Version(1, 3)}),
        "array API, max_version: a pair of numbers, which a named tuple is too",
    ),
    "every keyword, each None but one": (
        Asks({"max_version": (1, 3), "stream": None, "dl_device": None, "copy": None}),
        ASKED,
    ),
    "copy=None in each request": (Asks({"max_version": (1, 3), "copy": None}), ASKED),
    "dl_device=(1, 0) in each request": (Asks({"max_version": (1, 3), "dl_device": (1, 0)}), ASKED),
    "dl_device with an IntEnum": (
        Asks({"max_version": (1, 3), "dl_device": (Device.CPU, 0)}),
        "array API, dl_device: in the form that __dlpack_device__ returns, an enumerator first",
    ),
    "copy=True in each request": (
        Asks({"max_version": (1, 3), "copy": True}, copies=True),
        "array API, from_dlpack, copy=None: copied where it must be, and what must is the library's word",
    ),
    "keywords are left out one by one": (
        OneByOne(NEWEST),
        "array API, __dlpack__, Notes: an older exporter's TypeError brings a request with fewer keywords",
    ),
    "a second request after any error": (
        OnAnyError(NEWEST),
        "array API, __dlpack__, Notes: after an error another request may be made",
    ),
    "legacy first, versioned where that is refused": (
        LegacyFirst({}),
        "array API, max_version: None is the default, and may be refused",
    ),
    "copies are made here": (
        CopiesItself(NEWEST),
        "array API, from_dlpack, copy: whoever makes the copy, the result shares nothing",
    ),
    "methods of the type": (OfTheType(NEWEST), "Python: methods with two underscores are those of the type"),
    "it takes capsules, too": (
        Gathers(NEWEST),
        "Python specification, Implementation: not for users is no word against it",
    ),
    "it imports on a thread of its own": (OnAThread(NEWEST), "nothing names the thread that calls __dlpack__"),
    "it is slow": (Slow(NEWEST), "nothing says how long an import may take"),
    "from_dlpack is a class": (Positional(), "array API, from_dlpack: something that can be called so"),
    "it makes arrays, too": (Whole(NEWEST), "Python specification, Syntax: both roles in one library"),
    "its device is called cpu": (KnowsCpu(), "array API, from_dlpack, device: names are the library's own"),
    "dl_device where a device was named": (DeviceOnRequest(), "array API, from_dlpack, device: passed on or seen to"),
}
