"""dlspec's own producer and consumer: tensors of the extension, behind the functions that adapters have."""

import types

from dlspec_worker.facts import dlpack
from dlspec_worker.subject.library import Library


def tensor(native, order):
    """dlspec's tensor as ordered."""
    return native.tensor(order.bytes, order.dtype, order.shape, order.strides, order.offset, order.readonly)


def library(native):
    adapter = types.SimpleNamespace(
        make=lambda order: tensor(native, order),
        from_dlpack=lambda source: native.import_capsule(newest_capsule(source)),
        contents=lambda array: array.tobytes(),
        write=lambda array, data: array.overwrite(data),
    )
    made = Library(adapter, "")
    made.name = "dlspec"
    return made


def newest_capsule(source):
    """As a consumer of today asks for it, and without the keyword where the exporter does not know it."""
    try:
        return source.__dlpack__(max_version=dlpack.NEWEST)
    except TypeError:
        return source.__dlpack__()
