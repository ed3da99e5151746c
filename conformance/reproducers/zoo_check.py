#!/usr/bin/env python3
"""Shows that the scripts of `--emit-reproducer` tell a fault from its absence, on the subjects of the zoo.

  zoo_check.py BUILD_DIR [--rules GLOB] [--sample N] [--jobs N] [--list]

For each faulty Python subject dlspec writes a script; run against that subject it must end with 1, against the clean
twin with 0. What has no script is counted. Exit status: 0, or 1 when a script was wrong, or too few were made.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONFORMANCE = ROOT / "conformance"
sys.path.insert(0, str(CONFORMANCE / "selfcheck" / "zoo"))
import exhibit_rows  # noqa: E402

# Seen by dlspec's own memory or by counting over many rounds, which a short script has not.
UNSEEN = {"doubles.Array:destructor frees used"}
Exhibit = collections.namedtuple("Exhibit", "rule role name twin")
Shown = collections.namedtuple("Shown", "word text")


def rules():
    """C++ identifier -> id."""
    text = (ROOT / "reference" / "vocabulary" / "rules.def").read_text(encoding="utf-8")
    return dict(re.findall(r'^DLSPEC_RULE\(\s*(\w+),\s*"([^"]+)"', text, re.M))


def exhibits():
    known = rules()
    rows = re.findall(r'DLSPEC_EXHIBIT\((\w+),\s*(\w+),\s*"([^"]+)",\s*"([^"]+)"\)', exhibit_rows.whole_table())
    return [
        Exhibit(known[rule], role, name, twin)
        for rule, role, name, twin in rows
        if not name.startswith(("plugin:", "cuda_")) and name not in UNSEEN  # scripts ask about the host
    ]


class Check:
    def __init__(self, build, work):
        self.build, self.work = pathlib.Path(build).resolve(), work

    def environment(self, name):
        zoo = CONFORMANCE / "selfcheck" / "zoo" / "python"
        return {
            **os.environ,
            "DLSPEC_EXHIBIT": name,
            "DLSPEC_NATIVE": str(self.build / "lib" / "python" / "dlspec" / "_native.abi3.so"),
            "PYTHONPATH": f"{zoo}:{CONFORMANCE / 'worker' / 'python'}",
        }

    def emit(self, number, exhibit):
        """(scripts, what dlspec said)."""
        folder = os.path.join(self.work, str(number))
        command = [
            self.build / "bin" / "dlspec",
            "run",
            CONFORMANCE / "selfcheck" / "zoo" / "python" / "zoo.py",
            "--role",
            exhibit.role,
            "--rules",
            exhibit.rule,
            "--strict",
            "--jobs",
            "1",
            "--python",
            sys.executable,
            "--emit-reproducer",
            folder,
        ]
        done = subprocess.run(
            command, env=self.environment(exhibit.name), capture_output=True, text=True, errors="replace", check=False
        )
        # Scripts of single exchanges only: the doubles do not keep writes, so that sequences report twins as well.
        scripts = sorted(pathlib.Path(folder).glob("*.py"))
        return [each for each in scripts if "/sequence=" not in each.read_text(encoding="utf-8")], done

    def run(self, script, name):
        done = subprocess.run(
            [sys.executable, script],
            env=self.environment(name),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=120,
        )
        return done.returncode, (done.stdout + done.stderr)[-1500:]

    def show(self, number, exhibit):
        scripts, done = self.emit(number, exhibit)
        if not scripts:
            return Shown("without a script" if done.returncode == 1 else "no failure", exhibit.rule)
        faulty, said = self.run(scripts[0], exhibit.name)
        clean, said_of_twin = self.run(scripts[0], exhibit.twin)
        if (faulty, clean) == (1, 0):
            return Shown("shown", exhibit.rule)
        return Shown(
            "WRONG",
            f"{exhibit.rule} {exhibit.name}: {faulty} in place of 1, twin {clean} in place of 0\n{said}\n"
            f"--- twin\n{said_of_twin}",
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--rules", default="*")
    parser.add_argument("--sample", type=int, help="so many exhibits, spread over all")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    chosen = [each for each in exhibits() if fnmatch.fnmatchcase(each.rule, options.rules)]
    if options.sample:
        chosen = chosen[:: max(1, len(chosen) // options.sample)]
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        check = Check(options.build, work)
        results = list(pool.map(check.show, range(len(chosen)), chosen))
    counts = collections.Counter(result.word for result in results)
    for result in results:
        if result.word == "WRONG" or (options.list and result.word != "shown"):
            print(f"{result.word}  {result.text}")
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 1 if counts["WRONG"] or not counts["shown"] else 0


if __name__ == "__main__":
    sys.exit(main())
