"""Leaves a process behind that holds on to everything it was given."""

import subprocess

from honest import *  # noqa: F403

subprocess.Popen(["sleep", "600"], start_new_session=True)
