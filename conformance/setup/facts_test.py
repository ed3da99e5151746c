#!/usr/bin/env python3
"""Each fact of the tables is written once: a literal that restates one is named with its place.

  facts_test.py [ROOT]

Docs, generated pages and the tables themselves are left out. A place that may have the literal is compared with the
tables by the test that stands behind it.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else __file__).resolve()
if ROOT.is_file():
    ROOT = ROOT.parents[2]
FOLDERS = ("reference", "optimized", "conformance", "fuzz", "bench")
SOURCES = {".cc", ".h", ".c", ".py"}
WORKER_FACTS = "conformance/worker/python/dlspec_worker/facts/dlpack.py"  # compared by worker/python/tables_test.py

# What is written once, the table that has it, the pattern of a copy, and the places that may have one.
FACTS = (
    ("devices whose memory is the host's", "device.def", r"\b1\b\W{1,4}3\b\W{1,4}11\b\W{1,4}13\b", ()),
    (
        "numbers of devices and dtype codes",
        "device.def and dtype.def",
        r"(?<!\\n)\bkDL\w+ *= *\d",
        (
            WORKER_FACTS,
            "reference/validate/official_types_test.cc",  # an official header of its own
        ),
    ),
    (
        "bits of the flags",
        "flags.h",
        r"^ *(READ_ONLY|IS_COPIED|PADDED)\b[A-Z_, ]*= *[\d(]",
        (WORKER_FACTS,),
    ),
    ("editions of rules", "rules.def", r'"20(21|22|23|24|25)\.12"', ()),
    (
        "the highest rank",
        "limits.h",
        r"\bmax_rank *= *\d",
        ("reference/vocabulary/limits.h", "optimized/rearrange/plan/geometry.h"),  # of validation; of copies
    ),
    (
        "the lowest address of a tensor in host memory",
        "limits.h",
        r"\blowest_host_address *= *\d",
        ("reference/vocabulary/limits.h",),
    ),
)


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES and "build" not in path.parts:
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8", errors="replace")


def copies(files):
    """A line for each place that restates a fact."""
    for name, text in files:
        for what, table, pattern, allowed in FACTS:
            if name in allowed or name == "conformance/setup/facts_test.py":
                continue
            for found in re.finditer(pattern, text, re.MULTILINE):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{name}:{line}: {found.group(0)!r} restates {what}; use {table}"


class Facts(unittest.TestCase):
    def test_each_is_written_once(self):
        found = list(copies(sources(ROOT)))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_copies_are_found(self):
        for text in (
            "{1, 3, 11, 13}",
            "(1, 3,\n 11, 13)",
            "kDLCUDA = 2",
            "READ_ONLY, IS_COPIED = 1, 2",
            "'\"2023.12\"'",
        ):
            self.assertEqual(len(list(copies([("a.cc", text)]))), 1, text)

    def test_packages_are_pinned_to_one_version(self):
        pins = {}
        for path in sorted((ROOT / "conformance" / "setup").glob("*-tools.txt")):
            for package, version in re.findall(r"^([\w.-]+)==(\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
                pins.setdefault(package, {}).setdefault(version, []).append(path.name)
        self.assertIn("ruff", pins)
        self.assertEqual({package: found for package, found in pins.items() if len(found) > 1}, {})

    def test_allowed_places_exist_and_have_it(self):
        texts = dict(sources(ROOT))
        for what, _, pattern, allowed in FACTS:
            for name in allowed:
                self.assertRegex(texts.get(name, ""), re.compile(pattern, re.MULTILINE), f"{name} is listed for {what}")


if __name__ == "__main__":
    unittest.main()
