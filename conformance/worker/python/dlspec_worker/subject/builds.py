"""The build of a library that was loaded, beyond its version."""

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
    from importlib import metadata

    try:
        lines = (metadata.distribution(distribution).read_text("WHEEL") or "").splitlines()
    except (metadata.PackageNotFoundError, OSError, ValueError):
        return ""
    facts = {}
    for line in lines:
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    tag = facts.get("Tag", "")
    build = facts.get("Build", "")
    return f"wheel {build + '-' if build else ''}{tag}" if tag else ""
