"""Leaves a process behind that keeps its descriptors open."""

import subprocess

from honest import *  # noqa: F403

subprocess.Popen(["sleep", "600"], start_new_session=True)
