"""How a library reads ordinary arrays: what goes wrong there too is not the fault of an odd layout."""

from dlspec_worker.imports import readers
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source

SQUARE = {"dtype": "int32", "shape": (4, 4)}
CONTENTS = bytes(range(64))


def _square(trial, generation):
    """An imported 4 x 4 array of int32, and the elements that it shows; None for each that there is not."""
    done = Import(trial, Source(trial, generation, **SQUARE, strides=(4, 1), byte_offset=0, contents=CONTENTS))
    return (None, None) if done.refusal else (done.array, trial.library.imported_contents(done.array)[0])


def reads_byte_strides(trial, generation=None):
    """True when strides are read as numbers of bytes, by the library and not by contents()."""
    array, found = _square(trial, generation)
    places = [4 * row + column for row in range(4) for column in range(4)]
    if found != b"".join(CONTENTS[place : place + 4] for place in places):
        return False
    return readers.reads_made(trial, **SQUARE, bytes=CONTENTS) or readers.exports_the_same(trial, array, found)


def shows_ordinary(trial, generation=None):
    """False when the elements of a compact array are wrong too."""
    return _square(trial, generation)[1] in (None, CONTENTS)
