"""Figures in pages that are written by hand are those of the tables; so are the lines of output that the README shows.

  python3 figures_test.py BUILD [Figures] [Shown] [Selftest]

A figure is found by the sentence around it. A page may change its words, and then this table changes with it; what
counts rules, findings, libraries and the like and stands in no row of the table is an error as well.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else ROOT / "build" / "release"
DLSPEC = BUILD / "bin" / "dlspec"
EVIDENCE = ROOT / "conformance" / "evidence"
PAGES = (
    "README.md",
    ".github/*.md",
    "conformance/README.md",
    "conformance/docs/*.md",
    "conformance/evidence/*/README.md",
    "conformance/selfcheck/*/README.md",
    "fuzz/README.md",
    "fuzz/mutants/README.md",
    "optimized/README.md",
    "reference/README.md",
)
COUNTED = "rules|findings|deviations|entries|libraries|packages|releases|faulty subjects|faulty structs|twins"


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def number(text):
    return int(text.replace(",", ""))


def coverage():
    """{group: (rules, checked, tested, not yet, never)}"""
    printed = subprocess.run([DLSPEC, "rules", "--coverage"], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^(\w+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$", printed, re.M)
    return {row[0]: tuple(int(cell) for cell in row[1:]) for row in rows}


def faulty_structs():
    path = "reference/testing/faulty.def"
    return read(path if (ROOT / path).exists() else "reference/testing/faulty_table.cc")


def facts():
    """What the tables say, by name."""
    rules, checked, tested, _, _ = coverage()["all"]
    faults = json.loads(read("conformance/evidence/history/faults.json"))
    fleet = re.search(r"^(\d+) libraries .*: (\d+) subjects\.$", read("conformance/evidence/pages/fleet.md"), re.M)
    table = json.loads(read("conformance/evidence/fleet/subjects.json"))
    listed = (len(table), sum(1 + len(row["older"]) for row in table))
    judged = tuple(number(each) for each in fleet.groups())
    return {
        "rules": rules,
        "checked": checked,
        "tested": tested,
        "reasons": rules - checked,
        "entries": len(faults),
        "findings": sum(not {"same", "note"} & fault.keys() and fault["status"] != "info" for fault in faults),
        "packages": len({fault["package"] for fault in faults}),
        "re-created": sum("exhibit" in fault for fault in faults),
        "adapters": len(list((EVIDENCE / "adapters").glob("*.toml"))),
        "listed": listed,
        "libraries": judged[0],
        "releases": judged[1],
        "structs": len(re.findall(r"^(?: *\{R::|DLSPEC_FAULTY\()", faulty_structs(), re.M)),
        "rearrange faults": len(re.findall(r"^ +breaks ", read("fuzz/mutants/rearrange.txt"), re.M)),
    }


# Page, sentence with a group for each figure, the facts that they must be.
FIGURES = (
    ("README.md", r"list (\d+) deviations in (\d+) packages", ("findings", "packages")),
    ("README.md", r"what dlspec says about (\d+) libraries", ("libraries",)),
    ("conformance/docs/changes.md", r"plug-ins, in worker processes: (\d+) rules, (\d+) of them", ("rules", "checked")),
    ("conformance/docs/changes.md", r"Adapters for (\d+) Python libraries", ("adapters",)),
    (
        "conformance/docs/health.md",
        r"\| (\d+) specified; (\d+) checked; the other (\d+) carry a reason",
        ("rules", "checked", "reasons"),
    ),
    ("conformance/docs/health.md", r"\| (\d+) of (\d+) rules have a faulty subject", ("tested", "checked")),
    ("conformance/docs/health.md", r"\| (\d+) faulty structs and", ("structs",)),
    ("conformance/docs/health.md", r"\| (\d+) releases of (\d+) libraries judged", ("releases", "libraries")),
    (
        "conformance/docs/health.md",
        r"(\d+) findings in (\d+) packages, .* cannot be had \((\d+)\); all (\d+) entries",
        ("findings", "packages", "re-created", "entries"),
    ),
    (
        "conformance/docs/health.md",
        r"of the (\d+) chosen by hand in `optimized/rearrange`",
        ("rearrange faults",),
    ),
)

# What the test `selftest` compares with what `dlspec selftest` counts.
SELFTEST = (
    r"\| (\d+) of \d+ rules have a faulty subject .*: (\d+) faulty subjects and (\d+) twins in real workers",
    r"\| (\d+) faulty structs and ([\d,]+) pairs of them, .*, but for ([\d,]+) pairs",
)


def pages():
    return sorted({path.relative_to(ROOT).as_posix() for pattern in PAGES for path in ROOT.glob(pattern)})


class Figures(unittest.TestCase):
    def test_figures_are_those_of_the_tables(self):
        known = facts()
        for page, sentence, names in FIGURES:
            with self.subTest(page=page, sentence=sentence):
                found = re.search(sentence, read(page))
                self.assertTrue(found, f"{page} has no such sentence: change it there and in this test")
                expected = {name: known[name] for name in names}
                self.assertEqual(dict(zip(names, map(number, found.groups()))), expected)

    def test_the_fleet_page_is_about_the_table(self):
        known = facts()
        libraries, releases = known["listed"]
        not_judged = read("conformance/evidence/pages/fleet.md").count("| not judged: ")
        self.assertEqual((known["libraries"], known["releases"]), (libraries - not_judged, releases - not_judged))

    def test_every_count_is_compared(self):
        for page in pages():
            text = read(page)
            spans = [match.span() for row in FIGURES if row[0] == page for match in re.finditer(row[1], text)]
            spans += [match.span() for sentence in SELFTEST for match in re.finditer(sentence, text)]
            for match in re.finditer(rf"\b(\d[\d,]+) ({COUNTED})\b", text):
                line = text.count("\n", 0, match.start()) + 1
                inside = any(start <= match.start() < end for start, end in spans)
                self.assertTrue(inside, f'{page}:{line}: "{match.group()}" is compared with nothing')


class Shown(unittest.TestCase):
    """The README's picture of the output."""

    def test_the_output_is_what_the_command_prints(self):
        block = re.search(r"^~~~\n\$ build/release/bin/dlspec (run \S+)\n(.*?)^~~~", read("README.md"), re.M | re.S)
        command, shown = block.groups()
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        done = subprocess.run(
            [DLSPEC, *command.split(), "--color", "never"],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        if done.returncode == 3:
            self.skipTest(f"{command}: the release cannot be had here")
        printed = done.stdout.replace(str(DLSPEC), "build/release/bin/dlspec").split("\n")
        for line in shown.split("\n"):
            if line not in ("...", ""):
                self.assertIn(line, printed)

    def test_the_readme_is_short(self):
        self.assertLessEqual(len(read("README.md").split()), 700)

    def test_the_first_block_holds_the_two_commands(self):
        block = re.search(r"^```\n(.*?)^```", read("README.md"), re.M | re.S)
        commands = [line.split("#")[0].strip() for line in block.group(1).splitlines()]
        self.assertEqual(commands, ["bash conformance/setup/first-run", "bash conformance/setup/run-tests"])


class Selftest(unittest.TestCase):
    def test_the_checks_work_and_are_as_many_as_the_page_says(self):
        command = [DLSPEC, "selftest", "--python", sys.executable]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        counted = re.search(
            r"^(\d+) rules: (\d+) faulty subjects and (\d+) twins in workers; (\d+) faulty structs, their twins "
            r"and (\d+) pairs of them \((\d+) of which do not show both\)",
            done.stdout,
            re.M,
        )
        page = read("conformance/docs/health.md")
        said = [figure for sentence in SELFTEST for figure in re.search(sentence, page).groups()]
        self.assertEqual([number(each) for each in said], [int(each) for each in counted.groups()])


if __name__ == "__main__":
    unittest.main()
