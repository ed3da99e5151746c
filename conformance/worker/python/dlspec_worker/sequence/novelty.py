"""What sequences show that none before them in this process did, as numbers: observations, and coverage.

An observation is a step in its circumstances, with what the library did. Coverage is that of libraries that were
compiled with -fsanitize-coverage, counted by worker/coverage where that is loaded.
"""

import collections
import ctypes
import zlib

_MOST_COVERED = 20000  # numbers of one sequence
_MOST_ALIKE = 3  # holders in one state that are told apart by their number


class Novelties:
    def __init__(self):
        self._known = set()
        self._coverage = _Coverage()

    def of(self, index, observations):
        """[index, new observations, new coverage], or None."""
        new = [number for number in dict.fromkeys(observations) if number not in self._known]
        self._known.update(new)
        covered = self._coverage.new()
        return [index, new, covered] if new or covered else None

    @property
    def places(self):
        return self._coverage.places()

    def name_functions_at_death(self, page, offset):
        """Where the functions are written that run when a signal ends the process: in a writable map, from there on."""
        self._coverage.name_functions_at_death(page, offset)


class _Coverage:
    def __init__(self):
        library = ctypes.CDLL(None)
        try:
            self._new, self._places = library.dlspec_coverage_new, library.dlspec_coverage_places
            self._names_to = library.dlspec_coverage_stack_to
        except AttributeError:
            self._new = None
            return
        self._new.restype, self._new.argtypes = ctypes.c_size_t, (ctypes.c_void_p, ctypes.c_size_t)
        self._places.restype, self._places.argtypes = ctypes.c_uint64, ()
        self._names_to.restype, self._names_to.argtypes = None, (ctypes.c_void_p, ctypes.c_size_t)
        self._numbers = (ctypes.c_uint64 * _MOST_COVERED)()

    def new(self):
        if self.places() == 0:
            return []
        return self._numbers[: self._new(self._numbers, _MOST_COVERED)]

    def places(self):
        return self._places() if self._new else 0

    def name_functions_at_death(self, page, offset):
        if self._new:
            text = ctypes.c_char.from_buffer(page, offset)
            self._names_to(ctypes.addressof(text), len(page) - offset)


def circumstances(carrying, words):
    """What the step acts on, before it does."""
    names = [word for word in words[1:3] if word[:1] in "ae" and word[1:].isdigit()]
    on = names[-1] if names else ""
    holder = carrying.arrays.get(on) or carrying.exports.get(on)
    if holder is None:
        return ("nothing",)
    states = collections.Counter(map(_state, holder.root.holders))
    alike = sorted((state, min(count, _MOST_ALIKE)) for state, count in states.items())
    return (holder.root.layout, holder.root.dtype, _state(holder), alike)


def observation(carrying, words, before, refused):
    """A number for a step that was carried out. `before`: its circumstances."""
    made = carrying.exports.get(words[1]) if words[0] == "export" else None
    looks = () if made is None else (made.generation, made.flags, made.shape, made.null_deleter, made.copied)
    imported = carrying.arrays.get(words[1]) if words[0] in ("import", "view") else None
    lent = () if imported is None else [(each.generation, each.flags, each.state) for each in imported.lent]
    options = [word for word in words[1:] if not word[1:].isdigit()]
    return zlib.crc32(repr((words[0], options, before, refused, looks, lent)).encode())


def _state(holder):
    kind = "array" if holder.is_array else holder.state
    return f"{kind} {holder.alive} {holder.link}"
