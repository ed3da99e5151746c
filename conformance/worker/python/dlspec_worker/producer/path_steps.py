"""What surrounds an export on a path: where the array comes from, what happens before, meanwhile, and at the release.

Each table has one function for each level of a factor of plan/paths.def.
"""

import gc
import math

from dlspec_worker.exports import judging
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import dlpack, elements, values
from dlspec_worker.facts.dlpack import IS_COPIED, NEWEST, NOBODY
from dlspec_worker.producer import path_others as others
from dlspec_worker.producer.states import right_states
from dlspec_worker.trial.attempts import attempt

REQUESTS = {
    "max_version": {
        "1.3": NEWEST,
        "none": None,
        "0.0": (0, 0),
        "0.8": (0, 8),
        "1.0": (1, 0),
        "1.99": (1, 99),
        "2.0": (2, 0),
        "100.3": (100, 3),
    },
    "copy": {"true": True, "false": False, "none": None},
    "dl_device": {"none": None, "own": "own"},
    "stream": {"none": None},
}


class Source:
    """The array of a path, which a step may drop.

    order: its elements and layout. is_derived: it is another object than the one that was made. is_state: its elements
    are worked out when it is read.
    """

    def __init__(self, array, order, is_derived=False, is_state=False):
        self.array = array
        self.order = order
        self.is_derived = is_derived
        self.is_state = is_state

    def drop(self):
        self.array = None
        gc.collect()


# --- where the array comes from: each gives the arrays that are exported; "state" is in_states()


def _viewed(trial, array):
    view, misfit = attempt(lambda: array[...])
    return [array if misfit or not _is_same(trial, view) else view]


def _imported(trial, array, **keywords):
    """The library's own import of the array, where it gives the same elements."""
    plain = Export(trial, array, {"max_version": NEWEST})
    if "from_dlpack" not in trial.library.provides or not plain.generation or not shows(trial, plain):
        return [array]
    if 0 in trial.order.shape and not _keeps_elements(trial, keywords):
        return [array]
    found, refusal = trial.library.from_dlpack(array, **keywords)
    return [array if refusal or not _is_same(trial, found) else found]


def _keeps_elements(trial, keywords):
    """Whether imports of this dtype show the same: without elements another dtype looks alike."""
    full = trial.again(values.plain_order(trial.order, trial.order.dtype))
    array, misfit = attempt(trial.library.make, full.order)
    return misfit is None and _imported(full, array, **keywords)[0] is not array


def _imported_part(trial, array):
    """The same of a larger array, whose import is indexed."""
    found = _part_of(trial, lambda whole: _imported(trial.again(whole), trial.library.make(whole))[0])
    return [array] if found is None else [found]


def _part(trial, array):
    found = _part_of(trial, trial.library.make)
    return [array] if found is None else [found]


def _part_of(trial, make):
    """array[1:, 1:][1:, 1:] of a larger array; None without such indexing. The case is then about it."""
    few = math.prod(extent + 2 for extent in trial.order.shape) <= values.MANY
    grown = tuple(extent + (2 if few else 1) for extent in trial.order.shape)
    whole = values.order(trial.order, shape=grown, strides=None, offset=0, readonly=False)
    outer, order = values.part(whole)
    inner, order = values.part(order) if few else (..., order)
    array, misfit = attempt(make, whole)
    found, misfit = (None, misfit) if misfit else attempt(lambda: array[outer][inner])
    if misfit or trial.library.contents_or_none(found) != order.bytes:
        return None
    trial.order = order
    return found


def _imported_copy(trial, array):
    return _imported(trial, array, copy=True)


def in_states(trial, array):
    """A source in each state that arrays of this dtype have, or else a complex one: few conjugate lazily what is real.

    The array itself where there is none.
    """
    complex_too = ("complex64", "complex128") if "states" in trial.library.provides else ()
    found = {}
    for dtype in (trial.order.dtype, *complex_too):
        order = trial.order if dtype == trial.order.dtype else values.order(trial.order, dtype=dtype)
        made, misfit = (array, None) if order is trial.order else attempt(trial.library.make, order)
        for name, each in ({} if misfit else right_states(trial.again(order), made)).items():
            found.setdefault(name, Source(each, order, True, True))
    return list(found.values()) or [Source(array, trial.order, False, True)]


def _is_same(trial, array):
    shown, misfit = attempt(trial.library.contents_or_none, array)
    return misfit is None and shown == trial.order.bytes


ORIGINS = {
    "made": lambda trial, array: [array],
    "view": _viewed,
    "imported": _imported,
    "imported-copy": _imported_copy,
    "part": _part,
    "imported-part": _imported_part,
}

# --- before the export: each gives the exports that are alive meanwhile


def _transposed(trial, array):
    """[array.T] of a square: the same memory and shape with other strides."""
    extents = trial.order.shape
    square = len(extents) == 2 and extents[0] == extents[1]
    found = attempt(lambda: array.T)[0] if square else None
    return [] if found is None else [found]


def _alive(**keywords):
    """An export, and before it one of the transpose of a square."""

    def exports(trial, array):
        beside = [attempt(Export, trial, each, keywords)[0] for each in _transposed(trial, array)]
        return [*filter(None, beside), Export(trial, array, keywords)]

    return exports


def _released(trial, array):
    """Of both generations: the struct of the last may be the first that is used again. A square's transpose first."""
    for each in (*_transposed(trial, array), array):
        for keywords in ({"max_version": NEWEST}, {}):
            attempt(Export, trial, each, keywords)
    return []


def _refused(trial, array):
    for copy in ({}, {"copy": True}):
        attempt(Export, trial, array, {"max_version": NEWEST, "dl_device": NOBODY, **copy})
    return []


def _others_released(trial, array):
    others.crowd(trial)
    return []


def _raised(trial, array):
    attempt(Export, trial, array, {"keyword_of_nobody": None})
    return []


BEFORE = {
    "nothing": lambda trial, array: [],
    "export-alive": _alive(max_version=NEWEST),
    "export-released": _released,
    "legacy-alive": _alive(),
    "copy-alive": _alive(max_version=NEWEST, copy=True),
    "other-alive": lambda trial, array: [],  # of other arrays, which the path keeps
    "other-released": _others_released,
    "many-alive": others.many,
    "refusal": _refused,
    "exception": _raised,
}

# --- while the export lives: each gives what has to stay meanwhile


def _exports(trial, source):
    return [attempt(Export, trial, source.array, keywords) for keywords in ({"max_version": NEWEST}, {})]


def _exports_that_go(trial, source):
    _exports(trial, source)


def _exports_many(trial, source):
    neighbours = [others.neighbour(trial, max_version=NEWEST) for _ in range(others.MANY)]
    return [*others.many(trial, source.array), *neighbours, *others.large_one(trial)]


def _exports_others(trial, source):
    return others.crowd(trial)


def _drops_the_source(trial, source):
    source.drop()
    other = values.changed(trial.order, bytes=trial.order.bytes[::-1])
    # The allocator is likely to reuse memory here that was freed too early, with other contents.
    return [attempt(trial.library.make, other)[0] for _ in range(8)]


def _reshapes(trial, source):
    before, unreadable = attempt(getattr, source.array, "shape")
    attempt(setattr, source.array, "shape", tuple(reversed(trial.order.shape)))
    if not unreadable:
        attempt(setattr, source.array, "shape", before)
    refused, missing = attempt(trial.library.mutate, source.array, "transpose")
    if not (refused or missing):
        _judge_transposed(trial, source.array)
    for kind in ("reshape", "resize"):
        attempt(trial.library.mutate, source.array, kind)


def _judge_transposed(trial, array):
    """An array that was transposed in place is exported as it is now."""
    expected = elements.in_reversed_axes(trial.order)
    if trial.library.contents_or_none(array) != expected:
        return  # the adapter does something else, or shows the array otherwise
    now = trial.again(
        values.changed(trial.order, shape=tuple(reversed(trial.order.shape)), strides=None, bytes=expected)
    )
    made, misfit = attempt(Export, trial, array, {"max_version": NEWEST})
    if misfit or made.generation is None or not judging.is_readable(now, made):
        return
    shape, shown = made.facts["shape"], attempt(trial.native.contents, made.capsule)[0]
    if tuple(shape) != now.order.shape or shown != expected:
        observed = f"when the array was transposed in place, an export has shape {tuple(shape)} and other elements"
        trial.out.violated("tensor.element-address", observed, "the array as it is now")


AFTER = {
    "nothing": lambda trial, source: None,
    "export": _exports,
    "export-released": _exports_that_go,
    "other": _exports_others,
    "many": _exports_many,
    "earlier-released": _exports_others,  # the path has made and released the earlier ones: memory is given out again
    "source-dropped": _drops_the_source,
    "reshaped": _reshapes,
}
# The rules that are reported when the struct, or its elements, have changed by then.
AFTER_RULES = {
    "source-dropped": ("tensor.metadata-lifetime", "managed.borrow"),
    "reshaped": ("tensor.metadata-constant", "managed.borrow"),
}
OF_OTHER_EXPORTS = ("tensor.metadata-constant", "managed.exports-independent")


def shows(trial, made):
    """True when the export leads to the ordered elements; one with strides in bytes is not followed."""
    size = elements.bits_of(trial.order.dtype) // 8
    ordered = trial.order.strides or elements.row_major(trial.order.shape)
    claimed = made.facts["strides"] or ()
    farthest = size * max(1, _reach(trial.order.shape, ordered))
    is_far = 0 not in trial.order.shape and _reach(trial.order.shape, claimed) >= farthest
    if size > 1 and is_far and not elements.is_dense(trial.order.shape, claimed):  # as copies of repeated elements are
        return False
    return judging.is_readable(trial, made) and attempt(trial.native.contents, made.capsule)[0] == trial.order.bytes


def _reach(shape, strides):
    """In elements, from the first to the last."""
    return sum((extent - 1) * abs(stride) for extent, stride in zip(shape, strides) if extent > 0)


def is_copied(made):
    return made.generation == "versioned" and made.is_flagged(IS_COPIED)


def expects_versioned(asked):
    """Whether a capsule of today's struct answers this max_version; `asked` is None without one."""
    return asked is not None and asked[0] >= dlpack.NEWEST[0]
