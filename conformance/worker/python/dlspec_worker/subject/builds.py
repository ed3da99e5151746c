"""The build of a library that was loaded, beyond its version."""

import pathlib
import re
import sys
import types

_REVISIONS = ("__git_version__", "__git_revision__", "git_version", "git_revision")


def text(module, distributions):
    """ "revision 1a2b3c4d5e6f, wheel cp311-cp311-manylinux_2_27_x86_64", as far as it is known.

    The wheel is that of the first of these distributions that is installed.
    """
    wheel = next(filter(None, map(_wheel, distributions)), "")
    return ", ".join(filter(None, (_revision(module), wheel)))


def _revision(module):
    # From the dictionaries, because getattr on a lazy module may import half of the library.
    places = [getattr(module, "__dict__", {})]
    version = places[0].get("version")
    if isinstance(version, types.ModuleType):
        places.append(vars(version))
    for place in places:
        for name in _REVISIONS:
            if isinstance(place.get(name), str) and place[name]:
                return f"revision {place[name][:12]}"
    return ""


def _wheel(distribution):
    lines = _lines_of_wheel(distribution)
    facts = {}
    for line in lines:
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    tag = facts.get("Tag", "")
    build = facts.get("Build", "")
    return f"wheel {build + '-' if build else ''}{tag}" if tag else ""


def _lines_of_wheel(distribution):
    """The file WHEEL of an installed distribution. importlib.metadata takes longer than a worker's other start."""
    wanted = _normal(distribution)
    for folder in map(pathlib.Path, sys.path):
        for found in sorted(folder.glob("*.dist-info")):
            if _normal(found.name.partition("-")[0]) == wanted:
                try:
                    return (found / "WHEEL").read_text("utf-8", "replace").splitlines()
                except OSError:
                    return []
    return []


def _normal(distribution):
    """The name as all its spellings have it: "Double-GPU" and "double_gpu" are one."""
    return re.sub("[-_.]+", "_", distribution).lower()
