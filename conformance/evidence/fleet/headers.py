#!/usr/bin/env python3
"""Judges the copies of dlpack.h in the packages of the fleet, and writes ../pages/headers.md.

python3 conformance/evidence/fleet/headers.py     those in the environments that judging the fleet has left
    --build DIR        the build whose command judges (build/release)
    --cache DIR        where the environments are (DLSPEC_CACHE, or dlspec's own cache)
    --print            prints the table and writes nothing
"""

import argparse
import hashlib
import os
import pathlib
import re
import sys

import programs
import subjects

ROOT = subjects.EVIDENCE.parent.parent
PAGE = subjects.EVIDENCE / "pages" / "headers.md"
# A definition of the struct, not a mention.
DEFINES = re.compile(rb"\}\s*DLTensor\s*;|struct\s+(?:\w+\s+)?DLTensor\s*(?:final\s*)?\{")
FIRST_LINE = re.compile(r"DLPack (\d+\.\d+), (\d+) fail, (\d+) warn, (\d+) info")
FINDING = re.compile(r"^(fail|warn|info)  (\S+)", re.M)
HEAD = """# Copies of dlpack.h in released packages

Made by `python3 conformance/evidence/fleet/headers.py`; do not edit. Every header that defines `DLTensor` in the
packages of [the fleet](fleet.md) and in what they depend on, judged by [`dlspec header`](../../docs/header.md);
equal copies in one release are one row.

| package | file | DLPack | fail | warn | info | findings |
|---|---|---|---:|---:|---:|---|
"""


def environments(cache):
    """(library, version, folder of its packages) of each environment of the table's releases."""
    names = {subjects.package_of(row["library"]): row for row in subjects.read_rows()}
    for folder in sorted(pathlib.Path(cache, "environments").glob("*-*")):
        match = re.fullmatch(r"(.+)-([^-]+)-[0-9a-f]{16}", folder.name)
        packages = next(iter(folder.glob("lib/python*/site-packages")), None)
        if match and packages and match.group(1) in names:
            yield match.group(1), match.group(2), packages


def copies(packages):
    """The headers that define DLTensor, each text once: (path within the packages, path)."""
    seen = set()
    for path in sorted(packages.rglob("*")):
        if path.suffix not in (".h", ".hpp", ".hh") or not path.is_file():
            continue
        text = path.read_bytes()
        digest = hashlib.sha256(text).digest()
        if DEFINES.search(text) and digest not in seen:
            seen.add(digest)
            yield path.relative_to(packages), path


def include_roots(name, path):
    """Folders above it that its includes may be relative to."""
    return [str(path.parents[up]) for up in range(len(name.parts) - 1)]


def judge(dlspec, name, path):
    options = [option for root in include_roots(name, path) for option in ("-I", root)]
    done = programs.run([dlspec, "header", path, *options])
    first = FIRST_LINE.search(done.stdout)
    if not first:
        reason = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit status {done.returncode}"
        return ["", "", "", "", "not judged: " + reason.rpartition(": ")[2]]
    findings = []
    for status, rule in FINDING.findall(done.stdout):
        block = done.stdout.split(f"{status}  {rule}", 1)[1].split("\n  source")[0]
        places = re.findall(r"^  (\S+): ", block, re.M)
        findings.append(f"`{rule}` ({', '.join(places)})")
    return [*first.groups(), "; ".join(findings)]


def rows(dlspec, cache):
    seen = set()
    for library, version, packages in environments(cache):
        for name, path in copies(packages):
            package = (
                f"{library} {version}" if name.parts[0].replace("_", "-") in library else f"with {library} {version}"
            )
            key = (name, path.read_bytes())
            if key in seen:
                continue
            seen.add(key)
            yield [package, f"`{name}`", *judge(dlspec, name, path)]


def default_cache():
    home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return os.environ.get("DLSPEC_CACHE") or pathlib.Path(home) / "dlspec"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build" / "release", type=pathlib.Path)
    parser.add_argument("--cache", default=default_cache(), type=pathlib.Path)
    parser.add_argument("--print", action="store_true", dest="only_print")
    options = parser.parse_args()
    dlspec = options.build / "bin" / "dlspec"
    if not dlspec.exists():
        parser.error(f"{dlspec} does not exist; build dlspec, or name a build with --build")
    lines = ["| " + " | ".join(row) + " |\n" for row in rows(dlspec, options.cache)]
    if not lines:
        print(f"headers.py: no header below {options.cache}; judge the fleet first (fleet.py)", file=sys.stderr)
        return 3
    text = HEAD + "".join(lines)
    if options.only_print:
        print(text, end="")
    else:
        PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
