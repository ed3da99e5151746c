#!/usr/bin/env python3
"""Shows that the programs in C of `--emit-reproducer` tell a fault from its absence, on the plug-ins of the zoo.

  program_check.py BUILD_DIR [--only GLOB] [--sample N] [--list]

For each faulty plug-in dlspec writes programs, and for some of them one that carries out a sequence; each is built, and
run against that plug-in must end with 1, against the clean twin with 0. What has no program is counted.
Exit status: 0, or 1 when a program was wrong, or none was made.
"""

import argparse
import collections
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CONFORMANCE = pathlib.Path(__file__).resolve().parent.parent
COMPILER = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror"]
SEQUENCES = {
    "plugin:never releases": "make a0 c float32 own; import a1 a0 plain",
    "plugin:releases twice": "make a0 c float32 own; import a1 a0 plain; drop a1",
    "plugin:writes read-only": "make a0 readonly float32 own; import a1 a0 plain",
    "plugin:keeps unknown dtypes": "make a0 c float32 library; export e0 a0 versioned; write e0 1; refuse a0 device",
}


def plugins():
    """Faulty plug-in of the zoo -> its twin."""
    zoo = CONFORMANCE / "selfcheck" / "zoo"
    text = (zoo / "plugin" / "subjects.cc").read_text(encoding="utf-8")
    names = re.findall(r'^ +\{"([^"]+)", (?:DLSPEC_CHANGE|SPOIL)', text, re.M)
    text = (zoo / "exhibits.def").read_text(encoding="utf-8")
    with_tables = re.findall(r'^DLSPEC_EXHIBIT\(\w+, \w+, "(plugin:table[^"]*)", "([^"]+)"\)', text, re.M)
    return {**{f"plugin:{name}": "plugin:clean" for name in names}, **dict(with_tables)}


def rules():
    """Faulty plug-in of the zoo -> the options that select the rules which it is there for."""
    text = (CONFORMANCE / "selfcheck" / "zoo" / "exhibits.def").read_text(encoding="utf-8")
    found = collections.defaultdict(list)
    for rule, name in re.findall(r'^DLSPEC_EXHIBIT\((\w+), \w+, "(plugin:[^"]+)"', text, re.M):
        found[name] += ["--rules", rule.replace("_", ".", 1).replace("_", "?")]
    return found


def run(command, exhibit):
    return subprocess.run(
        command,
        env={**os.environ, "DLSPEC_EXHIBIT": exhibit},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=300,
    )


def emitted(build, exhibit, folder, selected=()):
    zoo = build / "lib" / "dlspec" / "zoo.so"
    fixed = ("--jobs", "1", "--quiet", "--strict", "--emit-reproducer", folder)
    run([build / "bin" / "dlspec", "run", zoo, *fixed, *selected], exhibit)
    programs = sorted(folder.glob("*.c"))
    left = (folder / "README.md").read_text(encoding="utf-8").count("  Not shown: ") if folder.exists() else 0
    return programs, left


def emitted_of_sequence(build, exhibit, folder):
    zoo = build / "lib" / "dlspec" / "zoo.so"
    steps = ("--sequence", SEQUENCES[exhibit])
    run([build / "bin" / "dlspec", "fuzz", zoo, *steps, "--quiet", "--emit-reproducer", folder], exhibit)
    return sorted(folder.glob("*.c"))


def why_wrong(program, name, twin):
    binary = program.with_suffix("")
    built = subprocess.run(
        [*COMPILER, program, "-ldl", "-lpthread", "-o", binary], capture_output=True, text=True, check=False
    )
    if built.returncode:
        return built.stderr[-1500:]
    faulty, clean = run([binary], name), run([binary], twin)
    if (faulty.returncode, clean.returncode) == (1, 0):
        return ""
    statuses = f"{faulty.returncode} in place of 1, twin {clean.returncode} in place of 0"
    return f"{statuses}\n{faulty.stdout}--- twin\n{clean.stdout}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="*", help="names of plug-ins that match")
    parser.add_argument("--sample", type=int, help="so many plug-ins, spread over all, asked their own rules")
    parser.add_argument("--list", action="store_true", help="what has no program")
    options = parser.parse_args()
    twins = plugins()
    chosen = [name for name in twins if fnmatch.fnmatchcase(name, options.only)]
    asked = {}
    if options.sample:
        asked = rules()  # the whole plan takes most of the time
        sample = chosen[:: max(1, len(chosen) // options.sample)]
        chosen = sorted({*sample, *(name for name in SEQUENCES if name in chosen)})
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        for number, name in enumerate(chosen):
            folder = pathlib.Path(work, str(number))
            programs, left = emitted(options.build.resolve(), name, folder, asked.get(name, ()))
            counts["without a program"] += left
            if options.list and left:
                print((folder / "README.md").read_text(encoding="utf-8").split("## Without a script")[-1].strip())
            if name in SEQUENCES:
                programs += emitted_of_sequence(options.build.resolve(), name, folder.with_suffix(".sequence"))
            for program in programs:
                wrong = why_wrong(program, name, twins[name])
                counts["WRONG" if wrong else "shown"] += 1
                if wrong:
                    print(f"WRONG  {name}: {program.name}: {wrong}")
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 1 if counts["WRONG"] or not counts["shown"] else 0


if __name__ == "__main__":
    sys.exit(main())
