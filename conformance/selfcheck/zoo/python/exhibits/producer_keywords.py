"""Producers with one fault each in the methods of the protocol and the keywords of __dlpack__."""

from exhibits import doubles


class NoKeywords(doubles.Array):
    """An exporter of the array API 2021.12."""

    def __dlpack__(self, *, stream=None):
        return super().__dlpack__(stream=stream)


class Swallows(doubles.Array):
    def __dlpack__(self, **keywords):
        keywords.pop("dlspec_keyword", None)
        return super().__dlpack__(**keywords)


class ValueErrorForKeyword(doubles.Array):
    def __dlpack__(self, **keywords):
        if "dlspec_keyword" in keywords:
            raise ValueError("what is that?")
        return super().__dlpack__(**keywords)


class NoStream(doubles.Array):
    def __dlpack__(self, *, max_version=None, dl_device=None, copy=None):
        return super().__dlpack__(max_version=max_version, dl_device=dl_device, copy=copy)


class NoDevice(doubles.Array):
    __dlpack_device__ = None

    def __getattribute__(self, name):
        if name == "__dlpack_device__":
            raise AttributeError(name)
        return super().__getattribute__(name)


class WithoutLegacy(doubles.Array):
    """Exports nothing to who does not name a version, and says so by the wrong exception."""

    def answer(self, max_version, copy):
        if max_version is None:
            raise RuntimeError("which version?")
        return super().answer(max_version, copy)


class LegacyForFuture(doubles.Array):
    def answer(self, max_version, copy):
        return super().answer(None if max_version and max_version[0] != 1 else max_version, copy)


class VersionedOnly(doubles.Array):
    """Exports nothing to who does not name a version. One memory for all exports."""

    def answer(self, max_version, copy):
        if max_version is None:
            raise BufferError("which version?")
        return super().answer(max_version, copy)


class CopiesUnasked(VersionedOnly):
    """copy=None copies, copy=False shares."""

    def answer(self, max_version, copy):
        return super().answer(max_version, True if copy is None else copy)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("python.methods-present", "producer", "NoDevice", "doubles.Array"),
    ("python.kwargs-2023", "producer", "NoKeywords", "doubles.Array"),
    ("python.unknown-kwarg-typeerror", "producer", "Swallows", "doubles.Array"),
    ("python.unknown-kwarg-typeerror", "producer", "ValueErrorForKeyword", "doubles.Array"),
    ("python.max-version-none-legacy", "producer", "WithoutLegacy", "doubles.Array"),
    ("python.max-version-higher-ok", "producer", "LegacyForFuture", "doubles.Array"),
    ("python.copy-none", "producer", "CopiesUnasked", "VersionedOnly"),
    ("stream.cpu-none", "producer", "NoStream", "doubles.Array"),
)
