"""The table of variants: each function registers itself under the names of the variants that it judges."""

import importlib
import os
import re

_FUNCTIONS = {}


def variant(role, *names):
    """Registers the decorated function under these names of variants of plan/variants.def."""

    def register(function):
        for name in names:
            if (role, name) in _FUNCTIONS:
                raise ValueError(f"two functions judge the variant {role} {name}")
            _FUNCTIONS[role, name] = function
        return function

    return register


def discover(*packages):
    """Imports every module of these packages, in the order of their names, so that their functions register."""
    for package in packages:
        for name in sorted(os.listdir(os.path.dirname(package.__file__))):
            if name.endswith(".py") and name != "__init__.py":
                importlib.import_module(f"{package.__name__}.{name[:-3]}")


def find(role, name):
    """The function that judges a variant, or None; "path:LEVELS" has that of "path", "hostile=NAME" of "hostile"."""
    return _FUNCTIONS.get((role, name)) or _FUNCTIONS.get((role, family(name)))


def family(name):
    """What stands before the value of a name: "path", "hostile", "max_version"."""
    return re.split("[:=]", name)[0]


def known():
    """Every registered (role, name), sorted."""
    return sorted(_FUNCTIONS)
