"""Where the files beside the package are: in it, as a wheel has them, or in the prefix that holds lib/python/dlspec."""

import os


def find(name):
    """The absolute path of a file or folder; FileNotFoundError where this installation has none."""
    package = os.path.dirname(os.path.abspath(__file__))
    for prefix in (package, os.path.dirname(os.path.dirname(os.path.dirname(package)))):
        path = os.path.join(prefix, *name.split("/"))
        if os.path.exists(path):
            return path
    raise FileNotFoundError(f"this installation of dlspec has no {name}")


def get_include():
    """The folder for -I, so that <dlspec/plugin.h> is found."""
    try:
        header = find("include/dlspec/plugin.h")
    except FileNotFoundError:
        header = find("include/dlspec_plugin/dlspec/plugin.h")  # of a build tree
    return os.path.dirname(os.path.dirname(header))


def get_cmake_dir():
    """The folder for -Ddlspec_DIR, so that find_package(dlspec) gives dlspec::plugin and the function of tests."""
    return find("lib/cmake/dlspec")
