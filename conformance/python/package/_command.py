"""The command `dlspec` of an installed package: becomes the program, and tells it where it is installed."""

import os
import shutil
import sys

from dlspec import _files

# What every environment may have beside the package that it was made for.
_TOOLS = {"dlspec", "pip", "setuptools", "wheel", "distribute"}


def main():
    program = _files.find("bin/dlspec")
    os.environ.update(_settings(sys.prefix))
    os.execv(program, [_shown_name(), *sys.argv[1:]])


def _settings(prefix):
    """An environment with libraries is one to judge; one that holds dlspec alone is a tool's own."""
    os.environ.pop("DLSPEC_OWN_PYTHON", None)
    os.environ.pop("DLSPEC_TOOL_FOLDER", None)
    if _is_made_by_tool(prefix) and not _has_others():
        return {"DLSPEC_TOOL_FOLDER": os.path.join(prefix, "bin")}
    return {"DLSPEC_OWN_PYTHON": sys.executable}


def _is_made_by_tool(prefix):
    """pipx and `uv tool install` leave a file; `uvx` works in uv's cache, where each entry is tagged."""
    marks = ("pipx_metadata.json", "uv-receipt.toml")
    return any(os.path.exists(os.path.join(prefix, mark)) for mark in marks) or _is_passing(prefix)


def _is_passing(prefix):
    """True in an environment that is gone, or may be, when the command has ended: `uvx`, `uv run --with`."""
    cache = os.path.dirname(os.path.dirname(prefix))
    return sys.prefix != sys.base_prefix and os.path.exists(os.path.join(cache, "CACHEDIR.TAG"))


def _has_others():
    """Whether a library was put beside dlspec, as by `uvx --with numpy dlspec` or `pipx inject`."""
    ends = (".dist-info", ".egg-info")
    for folder in filter(os.path.isdir, sys.path):
        for name in os.listdir(folder):
            if name.endswith(ends) and name.split("-")[0].lower() not in _TOOLS:
                return True
    return False


def _shown_name():
    """What printed commands begin with: `dlspec`, unless that would be another program, or none."""
    own = os.path.join(os.path.dirname(sys.executable), "dlspec")
    on_path = shutil.which("dlspec")
    if _is_passing(sys.prefix) or (on_path and os.path.exists(own) and os.path.samefile(on_path, own)):
        return "dlspec"
    return own if os.path.exists(own) else os.path.abspath(sys.argv[0])
