"""Checks a source archive: it holds what git knows, less what pyproject.toml leaves out, and has the version.

python3 check_sdist.py ARCHIVE
"""

import functools
import pathlib
import re
import subprocess
import sys
import tarfile

import check_release

ROOT = check_release.ROOT
ADDED = {"PKG-INFO"}  # by the build


def left_out():
    """The folders of sdist.exclude; a leading slash says that they are at the top."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^sdist\.exclude = \[(.*)\]$", text, re.MULTILINE)[1]
    return tuple(name.strip('"/') + "/" for name in listed.split(", "))


@functools.cache
def expected(git="git"):
    """The files that belong into it; None where git is not installed, or this is no checkout of it."""
    try:
        command = [git, "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    names = listed.stdout.split("\n")[:-1]
    return {name for name in names if not name.startswith(left_out()) and (ROOT / name).is_file()}


def check(path):
    top = f"dlspec-{check_release.version()}"
    if path.name != f"{top}.tar.gz":
        yield f"{path.name} is not called {top}.tar.gz"
    with tarfile.open(path) as archive:
        names = {member.name.partition("/")[2]: member for member in archive.getmembers() if member.isfile()}
        if any(not member.name.startswith(f"{top}/") for member in names.values()):
            yield f"not everything is in a folder {top}"
        for name, member in names.items():
            if name in ADDED:
                continue
            kept = (ROOT / name).stat().st_mode & 0o100 == member.mode & 0o100 if (ROOT / name).exists() else True
            if not kept:
                yield f"{name}: the mode is another one"
        wanted = expected()
        if wanted is not None:
            yield from (f"{name} is missing" for name in sorted(wanted - names.keys()))
            yield from (f"{name} is not the project's" for name in sorted(names.keys() - wanted - ADDED))
        information = archive.extractfile(names["PKG-INFO"]).read().decode() if "PKG-INFO" in names else ""
    if f"\nVersion: {check_release.version()}\n" not in information:
        yield "PKG-INFO has another version"


def main():
    path = pathlib.Path(sys.argv[1])
    wrong = list(check(path))
    if expected() is None:
        print("The list of files is not compared with git's: it is not installed, or this is no checkout.")
    print("\n".join(wrong) or f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, nothing to object to")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
