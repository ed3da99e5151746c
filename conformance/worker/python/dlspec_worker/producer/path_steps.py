"""What surrounds an export on a path: where the array comes from, what happens before, meanwhile, and at the release.

Each table has one function for each level of a factor of plan/paths.def.
"""

import gc

from dlspec_worker.exports import judging
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts import dlpack, elements, values
from dlspec_worker.facts.dlpack import IS_COPIED, NEWEST, NOBODY
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
    """The array of a path, which a step may drop. `is_derived`: it is another object than the one that was made."""

    def __init__(self, array, is_derived=False):
        self.array = array
        self.is_derived = is_derived

    def drop(self):
        self.array = None
        gc.collect()


# --- where the array comes from: each gives the arrays that are exported


def _viewed(trial, array):
    view, misfit = attempt(lambda: array[...])
    return [array if misfit or not _is_same(trial, view) else view]


def _imported(trial, array):
    """The library's own import of the array, where it gives the same elements."""
    plain = Export(trial, array, {"max_version": NEWEST})
    if "from_dlpack" not in trial.library.provides or not plain.generation or not shows(trial, plain):
        return [array]
    found, refusal = trial.library.from_dlpack(array)
    return [array if refusal or not _is_same(trial, found) else found]


def _in_states(trial, array):
    return list(right_states(trial, array).values()) or [array]


def _is_same(trial, array):
    shown, misfit = attempt(trial.library.contents_or_none, array)
    return misfit is None and shown == trial.order.bytes


ORIGINS = {"made": lambda trial, array: [array], "view": _viewed, "imported": _imported, "state": _in_states}

# --- before the export: each gives the exports that are alive meanwhile


def _alive(**keywords):
    return lambda trial, array: [Export(trial, array, keywords)]


def _released(trial, array):
    attempt(Export, trial, array, {"max_version": NEWEST})
    return []


def _refused(trial, array):
    attempt(Export, trial, array, {"max_version": NEWEST, "dl_device": NOBODY})
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
    "refusal": _refused,
    "exception": _raised,
}

# --- while the export lives: each gives what has to stay meanwhile


def _exports(trial, source):
    return [attempt(Export, trial, source.array, keywords) for keywords in ({"max_version": NEWEST}, {})]


def _exports_that_go(trial, source):
    _exports(trial, source)


def _drops_the_source(trial, source):
    source.drop()
    other = values.order(trial.order, shape=trial.order.shape)
    other.bytes = trial.order.bytes[::-1]
    # The allocator is likely to reuse memory here that was freed too early, with other contents.
    return [attempt(trial.library.make, other)[0] for _ in range(8)]


def _reshapes(trial, source):
    before, unreadable = attempt(getattr, source.array, "shape")
    attempt(setattr, source.array, "shape", tuple(reversed(trial.order.shape)))
    if not unreadable:
        attempt(setattr, source.array, "shape", before)
    for kind in ("transpose", "reshape", "resize"):
        attempt(trial.library.mutate, source.array, kind)


AFTER = {
    "nothing": lambda trial, source: None,
    "export": _exports,
    "export-released": _exports_that_go,
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
    if size > 1 and _reach(trial.order.shape, claimed) >= size * max(1, _reach(trial.order.shape, ordered)):
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
