#!/usr/bin/env python3
"""Do the stand-alone scripts show what they claim, on the releases that have the fault?

  python3 conformance/evidence/history/reproduce.py [--only GLOB] [--dlspec FILE] [--keep FOLDER]

For each release of faults.json: the scripts that script.py makes of its rows, and those that
`dlspec run --emit-reproducer` writes for what fails there today, are run by the interpreter of the release's
environment. A script shows its fault when it says so and ends with 1, or is ended by it; a script that an exception
ends shows nothing. observe.py stores what the scripts of the rows print.
Exit status: 0 all do, 1 one does not, 3 a release could not be judged.
"""

import argparse
import fnmatch
import json
import pathlib
import subprocess
import sys
import tempfile

import script

import bench

NOT_SHOWN = {0: "the fault is not there", 1: "an exception of the script's own", 77: "the library is missing"}


def run_script(python, path):
    """Why the script does not show its fault, or ""."""
    try:
        done = subprocess.run(
            [python, path], capture_output=True, text=True, errors="replace", timeout=120, check=False
        )
    except subprocess.TimeoutExpired:
        return "no end within 120 s"
    if done.returncode < 0 or (done.returncode == 1 and "The fault is there." in done.stdout):
        return ""
    last = (done.stdout + done.stderr).strip().splitlines()[-1:]
    return f"{NOT_SHOWN.get(done.returncode, 'it could not be tried')} ({' '.join(last)[:160]})"


def interpreter_of(document):
    """The interpreter of the environment that the library was loaded from."""
    environment, _, _ = document["subjects"][0]["loaded_from"].partition("/lib/python")
    python = pathlib.Path(environment) / "bin" / "python"
    if not python.exists():
        raise bench.Unjudged(f"there is no interpreter {python}")
    return python


def emit(dlspec, subject, folder):
    """Runs dlspec, which writes its scripts into the folder; the result document."""
    result = folder.parent / "result.json"
    done = subprocess.run(
        [str(dlspec), "run", subject, "--yes", "--quiet", "--strict", "--json", result, "--emit-reproducer", folder],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode not in (0, 1):
        raise bench.Unjudged(
            f"`dlspec run {subject}` ended with {done.returncode}: {' '.join(done.stderr.split())[-400:]}"
        )
    return json.loads(result.read_text(encoding="utf-8"))


def reproduce(dlspec, subject, rows, keep=None):
    """(scripts that show their fault, sentences about those that do not) for one release."""
    with tempfile.TemporaryDirectory() as work:
        folder = (pathlib.Path(keep) if keep else pathlib.Path(work) / "scripts") / subject
        folder.parent.mkdir(parents=True, exist_ok=True)
        python = interpreter_of(emit(dlspec, subject, folder))
        made = [pathlib.Path(work, f"{fault['id']}.py") for fault in rows]
        for fault, path in zip(rows, made):
            path.write_text(script.make(fault), encoding="utf-8")
        wrong = {path.name: run_script(python, path) for path in made + sorted(folder.glob("*.py"))}
    return sum(not why for why in wrong.values()), [f"{name}: {why}" for name, why in wrong.items() if why]


def main():
    parser = argparse.ArgumentParser(description="Do the stand-alone scripts show what they claim?")
    parser.add_argument("--only", metavar="GLOB", default="*", help="releases that match")
    parser.add_argument(
        "--dlspec", metavar="FILE", default=bench.ROOT / "build" / "release" / "bin" / "dlspec", help="the command"
    )
    parser.add_argument("--keep", metavar="FOLDER", help="where the written scripts stay")
    options = parser.parse_args()
    shown, status = 0, 0
    for subject, rows in bench.subjects().items():
        if subject == bench.ZOO or not fnmatch.fnmatchcase(subject, options.only):
            continue
        try:
            right, wrong = reproduce(options.dlspec, subject, rows, options.keep)
        except bench.Unjudged as why:
            print(f"{subject}: {why}", flush=True)
            status = 3
            continue
        shown += right
        status = status or (1 if wrong else 0)
        print(f"{subject}: {right} scripts show their fault" + "".join(f"\n  {each}" for each in wrong), flush=True)
    print(f"{shown} scripts show their fault")
    return status


if __name__ == "__main__":
    sys.exit(main())
