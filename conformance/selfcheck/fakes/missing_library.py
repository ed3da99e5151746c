"""Needs a library that nobody has."""

import dlspec_library_that_is_not_there  # noqa: F401


def make(spec):
    return None
