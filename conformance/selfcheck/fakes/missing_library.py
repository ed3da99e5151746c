"""Requires a library that does not exist."""

import dlspec_library_that_is_not_there  # noqa: F401


def make(spec):
    return None
