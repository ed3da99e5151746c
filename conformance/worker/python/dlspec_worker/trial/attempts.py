"""Calls into a library, whose exceptions are answers."""

import sys

from dlspec_worker.facts import wording


class Refusal:
    """An exception that a library answered with. Holds no traceback: that would keep arrays alive."""

    def __init__(self, error):
        self.kind = type(error)
        self.text = wording.of_exception(error)

    def is_a(self, *kinds):
        return issubclass(self.kind, kinds)


def attempt(function, *arguments, **keywords):
    """(result, None), or (None, Refusal). Whatever a library raises is an answer, SystemExit included."""
    try:
        return function(*arguments, **keywords), None
    except BaseException as error:
        return None, Refusal(error)


def unraisable(act, *arguments, **keywords):
    """(result, texts of the unraisable exceptions meanwhile, as from callbacks of C)."""
    seen = []
    before = sys.unraisablehook
    sys.unraisablehook = lambda raised: seen.append(wording.of_exception(raised.exc_value))
    try:
        return act(*arguments, **keywords), seen
    finally:
        sys.unraisablehook = before
