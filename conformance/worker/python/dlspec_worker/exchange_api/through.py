"""A library and its arrays as they are when everything goes through the exchange table."""

import copy

from dlspec_worker.exchange_api import importing
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.trial.attempts import Refusal, attempt
from dlspec_worker.trial.outcomes import Outcomes


class Refused(Exception):
    """A function of the table failed and left no exception."""


class Through:
    """An array whose exports come from its table: __dlpack__ takes every keyword and heeds none."""

    def __init__(self, caller, array):
        self._caller = caller
        self.array = array

    def __dlpack__(self, **keywords):
        answer = self._caller.export(self.array)
        if not answer.is_success:
            raise answer.error or Refused(answer.text)
        if answer.facts["capsule"] is None:
            raise Refused("success and no tensor")
        return answer.facts["capsule"]

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Borrowing(Through):
    """The same with the borrowed DLTensor, in a capsule that owns nothing."""

    def __dlpack__(self, **keywords):
        answer = self._caller.borrow(self.array, 0)
        if not answer.is_success:
            raise answer.error or Refused(answer.text)
        return self._caller.wrapped(answer.facts["raw"])


class ThroughLibrary:
    """The library, whose arrays are exported and imported through the table."""

    def __init__(self, library, caller, kind=Through):
        self._library = library
        self._caller = caller
        self._kind = kind

    def __getattr__(self, name):
        return getattr(self._library, name)

    def make(self, order):
        return self._kind(self._caller, self._library.make(order))

    def from_dlpack(self, source, **keywords):
        """(array, None) or (None, Refusal). After a failure the tensor is released here if the library has not."""
        capsule, refusal = attempt(source.__dlpack__, max_version=NEWEST)
        if refusal is None and self._caller.native.locate(capsule)[0] != "versioned":
            refusal = Refusal(BufferError("the table takes versioned structs only"))
        if refusal:
            return None, refusal
        done = importing.Imported(self._caller, capsule)
        done.release_if_left()
        return done.object, done.answer.refusal

    def contents_or_none(self, array):
        return self._library.contents_or_none(_own(array))

    def is_written(self, array, data):
        return self._library.is_written(_own(array), data)


class Channel:
    """The way of exports on a path: through the table, where they ask for what it gives."""

    def __init__(self, caller):
        self._caller = caller

    def method(self, array):
        """In the place of the array's __dlpack__. Other requests are answered by the array itself."""

        def answer(**keywords):
            is_asked = keywords == {"max_version": NEWEST}
            return (Through(self._caller, array) if is_asked else array).__dlpack__(**keywords)

        return answer


def _own(array):
    return array.array if isinstance(array, Through) else array


def trial_aside(trial, rules=()):
    """The same case with these rules, none of which is answered."""
    inner = copy.copy(trial)
    inner.out = Outcomes(rules, trial.library.standard, trial.native)
    return inner


def path_through(trial, caller):
    """The same case, whose arrays are exported through the table as they are."""
    inner = copy.copy(trial)
    inner.channel = Channel(caller)
    return inner


def trial_through(trial, caller, rules, kind=Through):
    """The same with a library whose arrays go through the table."""
    inner = trial_aside(trial, rules)
    inner.library = ThroughLibrary(trial.library, caller, kind)
    return inner
