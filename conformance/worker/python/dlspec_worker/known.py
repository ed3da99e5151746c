"""dlspec's own subjects, whose outcome is known: one that conforms and one that does not.

They are judged by the same functions as the library, in the same process, before its first case and after its last.
Another outcome means that something in the process has changed what dlspec observes. plan/known.cc has the expected
outcomes.
"""

import types

from dlspec_worker.facts import dlpack
from dlspec_worker.facts.dlpack import CPU
from dlspec_worker.imports.offers import make_offer
from dlspec_worker.subject import own
from dlspec_worker.subject.library import Library


def library(native, kind):
    """`kind`: good or bad."""
    make, contents = {"good": (own.tensor, _bytes), "bad": (_without_strides, _reversed)}[kind]
    adapter = types.SimpleNamespace(
        make=lambda spec: make(native, spec),
        from_dlpack=lambda source: native.import_capsule(source.__dlpack__(max_version=dlpack.NEWEST)),
        contents=contents,
    )
    if kind == "good":
        adapter.write = lambda array, data: array.overwrite(data)
    known = Library(adapter, "")
    known.keeps_names = True  # tried of every library once: it takes as long as a hundred cases
    return known


def _without_strides(native, spec):
    return _WithoutStrides(native, spec)


class _WithoutStrides:
    """An array whose strides are NULL, which DLPack 1.2 forbids."""

    def __init__(self, native, spec):
        self.held = spec.bytes
        self._offer = make_offer(types.SimpleNamespace(order=spec, native=native), "versioned", strides=None)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self._offer.capsule()

    def __dlpack_device__(self):
        return CPU


def _bytes(array):
    return array.tobytes()


def _reversed(array):
    """The contents; those of an import in reversed order."""
    return array.held if isinstance(array, _WithoutStrides) else array.tobytes()[::-1]
