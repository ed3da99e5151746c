"""Checks a wheel before it is published.

  python3 check_wheel.py WHEEL [--portable]

What must be in it, what must not, size, tags, notices, and what its binaries load. --portable: the tag of manylinux,
and no symbol of glibc that is newer than that tag allows.
"""

import argparse
import configparser
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import glibc_floor
from check_release import version

MOST = 5_000_000  # bytes
BINARIES = ("bin/dlspec", "lib/dlspec/zoo.so", "lib/dlspec/cuda_model.so", "lib/dlspec/coverage.so", "_native.abi3.so")
NEEDED = (
    *BINARIES,
    "__init__.py",
    "pytest_plugin.py",
    "include/dlspec/plugin.h",
    "include/dlspec/plugin_structs.h",
    "lib/cmake/dlspec/dlspecConfig.cmake",
    "share/dlspec/adapters/numpy.py",
    "share/dlspec/baselines/numpy.txt",
    "share/dlspec/schemas/dlspec-result-2.schema.json",
    "share/dlspec/worker/worker.py",
    "share/dlspec/worker/init_worker.py",
    "share/dlspec/zoo/zoo.py",
)
LICENSES = ("LICENSE", "third-party-notices.txt")
# What manylinux allows binaries to load, as far as dlspec has a use for it.
LIBRARIES = re.compile(r"lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+)\.so\.\d+$|ld-linux-x86-64\.so\.2$")
UNWANTED = re.compile(r"\.a$|/reference/|/optimized/|/vocabulary/|infini|__pycache__|/include/(?!dlspec/plugin)")


def check_name(path, portable):
    expected = "manylinux_{}_{}_x86_64".format(*glibc_floor.FLOOR) if portable else "linux_"
    fits = path.name.startswith(f"dlspec-{version()}-cp39-abi3-") and expected in path.name
    if not fits:
        yield f"the name is not that of dlspec {version()} for cp39-abi3 and {expected}"
    if path.stat().st_size > MOST:
        yield f"{path.stat().st_size} bytes; at most {MOST}"


def check_names(names):
    for name in NEEDED:
        if f"dlspec/{name}" not in names:
            yield f"dlspec/{name} is missing"
    for name in LICENSES:
        if not any(each.endswith("/" + name) and ".dist-info/" in each for each in names):
            yield f"{name} is missing"
    yield from (f"{name} is not for users of the wheel" for name in names if UNWANTED.search(name) and name[-1] != "/")


def check_entries(archive, names):
    listing = next((name for name in names if name.endswith(".dist-info/entry_points.txt")), None)
    entries = configparser.ConfigParser()
    entries.read_string(archive.read(listing).decode() if listing else "")
    for group, name in (("console_scripts", "dlspec"), ("pytest11", "dlspec")):
        if not entries.has_option(group, name):
            yield f"there is no entry point {name} of {group}"


def check_binary(path):
    dynamic = subprocess.run(["readelf", "-dW", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not LIBRARIES.match(library):
            yield f"{path.name} loads {library}"
    for searched in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        yield f"{path.name} searches {searched}"
    sections = subprocess.run(["readelf", "-SW", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    if " .symtab " in sections:
        yield f"{path.name} is not stripped"


def check(path, portable):
    yield from check_name(path, portable)
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        names = archive.namelist()
        yield from check_names(names)
        yield from check_entries(archive, names)
        if (
            f"dlspec/{BINARIES[0]}" in names
            and archive.getinfo(f"dlspec/{BINARIES[0]}").external_attr >> 16 & 0o111 == 0
        ):
            yield "dlspec/bin/dlspec may not be executed"
        present = [f"dlspec/{name}" for name in BINARIES if f"dlspec/{name}" in names]
        binaries = [pathlib.Path(archive.extract(name, folder)) for name in present]
        for binary in binaries:
            yield from check_binary(binary)
        yield from glibc_floor.check([str(each) for each in binaries], exact=portable)


def main():
    parser = argparse.ArgumentParser(description="Checks a wheel before it is published.")
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("--portable", action="store_true", help="with the tag of manylinux")
    options = parser.parse_args()
    wrong = list(check(options.wheel, options.portable))
    print(
        "\n".join(wrong) or f"{options.wheel.name}: {options.wheel.stat().st_size / 1e6:.1f} MB, nothing to object to"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
