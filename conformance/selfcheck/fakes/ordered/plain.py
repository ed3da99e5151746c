"""The library of the fakes beside it, without a fault."""

from plain_arrays import *  # noqa: F403
