"""How a library reads ordinary arrays: what goes wrong there too is not the fault of an odd layout."""

from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source

SQUARE = (4, 4)


def _square(trial, generation, **changes):
    """The elements of an imported 4 x 4 array of int32; None when it shows none."""
    fields = {"dtype": "int32", "shape": SQUARE, "strides": (4, 1), "byte_offset": 0, "contents": bytes(range(64))}
    done = Import(trial, Source(trial, generation, **fields, **changes))
    return None if done.refusal else trial.library.imported_contents(done.array)[0]


def reads_byte_strides(trial, generation=None):
    """True when strides are read as numbers of bytes."""
    places = [4 * row + column for row in range(4) for column in range(4)]
    return _square(trial, generation) == b"".join(bytes(range(64))[place : place + 4] for place in places)


def shows_ordinary(trial, generation=None):
    """False when the elements of a compact array are wrong too."""
    return _square(trial, generation) in (None, bytes(range(64)))
