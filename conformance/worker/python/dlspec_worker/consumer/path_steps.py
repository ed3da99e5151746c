"""What surrounds an import on a path: the struct that is offered, what happens before, and what lives on after it.

Each table has one entry for each level of a factor of plan/paths.def.
"""

from dlspec_worker.consumer.asking import host_devices
from dlspec_worker.facts import elements, values
from dlspec_worker.facts.dlpack import IS_COPIED, READ_ONLY, UNDEFINED_CODE, VPI
from dlspec_worker.imports import importing
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.offers import byte_offset
from dlspec_worker.imports.source import CopyingSource, Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.paths import Path

VERSIONS = {"1.0": (1, 0), "1.3": (1, 3), "1.99": (1, 99)}
PLACES = {
    "aligned": {},
    "byte_offset": {"byte_offset": 4160},
    "guard-behind": {"placement": "end"},
    "guard-in-front": {"placement": "start"},
}
FLAGS = {"none": 0, "read-only": READ_ONLY, "copied": IS_COPIED}
COPY = {"true": True, "false": False, "none": None}


def source(trial, way):
    struct = way.get("struct", "1.3")
    fields = dict(PLACES[way.get("place", "aligned")])
    if way.get("strides", "given") == "null":
        fields["strides"] = None
    if struct == "legacy":
        return Source(trial, "legacy", **fields)
    flags = FLAGS[way.get("flags", "none")] | (READ_ONLY if trial.order.readonly else 0)
    fields.update(version=VERSIONS[struct], flags=flags)
    if way.get("copy", "") == "true":
        return CopyingSource(trial, generation="versioned", **fields)
    return Source(trial, "versioned", **fields)


def device(trial, way):
    """The keyword of this level."""
    if way.get("device", "absent") == "host":
        return {"device": host_devices(trial)[0]}
    return {"device": None} if way.get("device", "absent") == "none" else {}


def imported(trial, way, **changes):
    return Import(trial, Source(trial, **changes))


def _same(trial, way):
    """An import of the tensor that the path imports once more."""
    return [Import(trial, source(trial, way))]


def _released(trial, way):
    done = imported(trial, way)
    done.drop()
    importing.releases_balance(done.source)
    return []


def neighbour(trial, way):
    """An import of another tensor, as different as the library takes them, in a struct like that of the path."""
    fields = {"strides": None} if way.get("strides", "given") == "null" else {}
    if way.get("struct", "1.3") not in ("1.3", "legacy"):
        fields["version"] = VERSIONS[way.get("struct", "1.3")]
    generation = {"1.3": None, "legacy": "legacy"}.get(way.get("struct", "1.3"), "versioned")
    for order in values.neighbours(trial.order):
        other = trial.again(order)
        done = Import(other, Source(other, generation, **fields))
        if done.refusal is None:
            break
    return done


def crowd(trial, way):
    """Imports of other tensors: each that differs in one respect, and at last the most different one."""
    made = []
    for order in values.crowd(trial.order):
        other = trial.again(order)
        made.append(Import(other, source(other, _in_the_same_struct(way))))
    return [*made, neighbour(trial, way)]


def _in_the_same_struct(way):
    return Path({name: level for name, level in way.levels.items() if name in ("struct", "strides")}, way.order)


def _others_released(trial, way):
    for done in crowd(trial, way):
        done.drop()
        importing.releases_balance(done.source)
    return []


def _in_same_memory(trial, way):
    """An import of the first element's bytes: another dtype and shape at the address of the path's tensor."""
    offered = source(trial, way)
    size = max(1, elements.bits_of(trial.order.dtype) // 8)
    single = trial.again(values.order(trial.order, dtype="uint8", shape=(size,), strides=None, offset=0))
    offset = PLACES[way.get("place", "aligned")].get("byte_offset", byte_offset(trial.order))
    done = Import(single, Source(single, data=offered.data_address(), byte_offset=offset))
    done.source.forget_capsules()
    return [Neighbour(done, offered)]


class Neighbour:
    """An import in the memory of the tensor that the path imports: `offered`."""

    def __init__(self, done, offered):
        self._done, self.source = done, offered

    def drop(self):
        self._done.drop()


def _refused(trial, way):
    done = imported(trial, way, code=UNDEFINED_CODE)
    done.source.forget_capsules()
    return []


def _refused_thrice(trial, way):
    for changes in ({"generation": "versioned", "version": (2, 0)}, {"device": VPI}, {"device": VPI}):
        done = imported(trial, way, **changes)
        done.drop()
        done.source.forget_capsules()
    return []


class _Raises(Source):
    def __dlpack__(self, **keywords):
        raise BufferError("this tensor is not exported")


def _raised(trial, way):
    Import(trial, _Raises(trial))
    return []


BEFORE = {
    "nothing": lambda trial, way: [],
    "import-alive": lambda trial, way: [imported(trial, way)],
    "import-released": _released,
    "other-alive": crowd,
    "other-released": _others_released,
    "same-alive": _same,
    "same-memory": _in_same_memory,
    "refusal": _refused,
    "refusals": _refused_thrice,
    "exception": _raised,
}


OF_THE_SAME = ("same-alive", "same-memory")  # their imports have the source of the path


class View:
    """What lives on in the place of an import, and the order of its elements."""

    def __init__(self, done, array, order):
        self.source, self.array, self.order = done.source, array, order

    def drop(self):
        self.array = None


def view(trial, done):
    view, misfit = attempt(lambda: done.array[...])
    if misfit or view is None or trial.library.imported_contents(view)[0] != trial.order.bytes:
        return done
    return View(done, view, trial.order)


def part(trial, done):
    """array[1:, 1:] of the import, where the library's own array has such parts."""
    index, order = values.part(trial.order)
    own, misfit = attempt(trial.library.make, values.changed(trial.order, strides=None, offset=0, readonly=False))
    shown = None if misfit else attempt(lambda: trial.library.contents_or_none(own[index]))[0]
    found, misfit = attempt(lambda: done.array[index])
    return done if misfit or shown != order.bytes else View(done, found, order)
