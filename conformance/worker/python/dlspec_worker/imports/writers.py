"""Whether the adapter's write() may be held against the library: first it is tried on arrays of dlspec's own."""

import struct
import types

from dlspec_worker.facts import elements, wording
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import AdapterFault


def follows_strides(trial):
    """True where write() into a strided import puts each float in its place; False where it cannot be tried.

    AdapterFault where it puts them elsewhere: then nothing that it writes tells anything about the library.
    """
    strides = tuple(2 * stride for stride in elements.row_major(trial.order.shape))
    contents = _floats(1.5, elements.count_of(trial.order))
    source = Source(trial, strides=strides, byte_offset=0, contents=contents)
    done = Import(trial, source)
    if done.refusal or trial.library.imported_contents(done.array)[0] != contents:
        return False
    data = _floats(1000.5, elements.count_of(trial.order))
    if trial.library.write(done.array, data) is not None:
        return False
    for offer in source.offers:
        if offer.contents() not in (data, contents) or not offer.memory_intact():
            observed = f"with strides {wording.of_numbers(strides)} the memory holds other elements"
            raise AdapterFault(f"write() does not follow strides: {observed} than it wrote; nothing was judged")
    return True


def _floats(first, count):
    return struct.pack(f"={count}f", *(first + place for place in range(count)))


def respects_read_only(library, order):
    """Checks that write() does not write into an array that make() made read-only, where the library has such arrays.

    AdapterFault where it does: it goes past the library, which then looks as if it let everything be written.
    """
    if "write" not in library.provides or library.write_was_tried:
        return
    plain = {"dtype": "float32", "shape": (4,), "strides": None, "offset": 0, "readonly": True}
    guarded = types.SimpleNamespace(**{**vars(order), **plain, "bytes": _floats(1.5, 4)})
    array, refusal = attempt(library.make, guarded)
    if refusal is None and library.is_written(array, _floats(1000.5, 4)):
        raise AdapterFault("write() writes into an array that make() made read-only; nothing was judged")
    library.write_was_tried = True
