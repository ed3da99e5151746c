"""Programs that the fleet and the night run to their end."""

import subprocess


def run(command, **options):
    """Its CompletedProcess, whatever the exit status: no input, stdout and stderr as text, each by itself.

    `options`: those of subprocess.run that differ.
    """
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(command, text=True, errors="replace", check=False, **{**streams, **options})
