"""Refuses to be imported in a process that has imported a copy of this file."""

import sys

from honest import *  # noqa: F403

if getattr(sys, "loner", __file__) != __file__:
    raise ImportError("there is a loner here already")
sys.loner = __file__
