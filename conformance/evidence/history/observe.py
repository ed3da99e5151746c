#!/usr/bin/env python3
"""Runs the scripts of faults.json on a release, and stores in observations.json what they printed.

  observe.py                         every release that a row names and that is not stored yet
  observe.py NAME==VERSION ...       these releases, again; NAME is the adapter's, as in `dlspec run`
      --newest         they are the newest of their package
  observe.py --here                  rows with a `device`, by this interpreter, on a machine that has it
      --dlspec FILE    the command, which provides the environment (build/release/bin/dlspec)

A row's script is run on the release that has the fault, on every other release that the row's text speaks of, and on
the newest. observations.py compares the rows with what is stored. Exit status: 0, or 3 where a release has no
environment.
"""

import argparse
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import observations
import script

import bench

SECONDS = 180
THERE, NOT_THERE = "The fault is there.", "The fault is not there."
LONGEST = 400


def spoken(text, status):
    """What a script printed, without what differs from run to run: addresses, paths, its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip() not in ("", THERE, NOT_THERE)]
    told = re.sub(r"0x[0-9a-f]{4,}", "0x…", " ".join(lines))
    told = re.sub(r"(?<![\w/])/(?:[\w.+-]+/)+", "…/", told)
    if status < 0 and not told:
        told = f"ended by signal {-status}"
    return told if len(told) <= LONGEST else told[: LONGEST - 1] + "…"


def run_script(python, text):
    """One observation: `fault` is true, false, or null where the script could not be tried."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "reproducer.py"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [python, path], capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
        )
    last = (done.stdout.strip().splitlines() or [""])[-1]
    fault = True if done.returncode < 0 else {THERE: True, NOT_THERE: False}.get(last)
    error = (done.stderr.strip().splitlines() or [""])[-1]
    printed = spoken(done.stdout if fault is not None else error, done.returncode)
    return {"fault": fault, "printed": printed}


def interpreter(dlspec, subject):
    """The interpreter of the release's environment, which dlspec makes."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        command = [str(dlspec), "run", subject, "--smoke", "--yes", "--quiet", "--json", str(result)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if not result.exists():
            raise bench.Unjudged(" ".join(done.stderr.split())[-400:])
        facts = json.loads(result.read_text(encoding="utf-8"))["subjects"][0]
    environment, _, _ = facts["loaded_from"].partition("/lib/python")
    return pathlib.Path(environment) / "bin" / "python"


def wanted(rows, newest):
    """{(package, version): the rows that are run there}."""
    table = {}
    for row in rows:
        if "device" in row:
            continue
        versions = {row["version"], *observations.versions_told(row), newest.get(row["package"], row["version"])}
        for version in versions:
            table.setdefault((row["package"], version), []).append(row)
    return table


def observe(dlspec, package, version, rows, store):
    """Runs the scripts of the rows on one release."""
    name, _ = bench.adapters()[package]
    observe_with(interpreter(dlspec, f"{name}=={version}"), package, version, rows, store)


def observe_here(rows, store):
    """Runs the scripts that need a device, where this interpreter has their release. Local parts, as in 2.11.0+cu130,
    say for what it was built."""
    for row in rows:
        if "device" not in row:
            continue
        module = script.name_of_import(script.libraries()[row["package"]]["setup"][-1])
        try:
            version = importlib.import_module(module).__version__.partition("+")[0]
        except ImportError as why:
            print(f"{row['id']}: {why}", flush=True)
            continue
        if version != row["version"]:
            print(f"{row['id']}: {row['package']} {version} is here, not {row['version']}", flush=True)
            continue
        observe_with(sys.executable, row["package"], version, [row], store)


def observe_with(python, package, version, rows, store):
    for row in rows:
        try:
            seen = run_script(python, script.make(row))
        except subprocess.TimeoutExpired:
            seen = {"fault": True, "printed": f"no end within {SECONDS} s"}
        seen["script"] = observations.mark(script.make(row))
        store["observed"].setdefault(row["id"], {})[version] = seen
        print(f"{package}=={version} {row['id']}: {seen['fault']}: {seen['printed'][:120]}", flush=True)


def write(store, rows):
    """One line for each observation, rows in the order of faults.json."""
    order = {row["id"]: place for place, row in enumerate(rows)}
    lines = ["{", ' "newest": {']
    lines.append(
        ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(store["newest"].items()))
    )
    lines += [" },", ' "observed": {']
    blocks = []
    for name in sorted(store["observed"].keys() & order.keys(), key=order.get):
        seen = sorted(store["observed"][name].items(), key=lambda item: observations.number(item[0]))
        inner = ",\n".join(f"   {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in seen)
        blocks.append(f"  {json.dumps(name)}: {{\n{inner}\n  }}")
    lines += [",\n".join(blocks), " }", "}"]
    whole = observations.STORE.with_suffix(".new")
    whole.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.replace(whole, observations.STORE)


def main(arguments):
    parser = argparse.ArgumentParser(description="Stores what the scripts of faults.json print.")
    parser.add_argument("subjects", nargs="*", metavar="NAME==VERSION")
    parser.add_argument("--newest", action="store_true", help="these are the newest of their package")
    parser.add_argument("--here", action="store_true", help="rows that need a device, by this interpreter")
    parser.add_argument("--dlspec", default=bench.ROOT / "build" / "release" / "bin" / "dlspec", help="the command")
    options = parser.parse_args(arguments)
    rows, store, status = script.faults(), observations.read(), 0
    packages = {name: package for package, (name, _) in bench.adapters().items()}
    asked = [(packages[name], version) for name, _, version in (each.partition("==") for each in options.subjects)]
    if options.here:
        observe_here(rows, store)
        write(store, rows)
        return 0
    if options.newest:
        store["newest"].update(asked)
    for (package, version), of_release in sorted(wanted(rows, store["newest"]).items()):
        missing = [row for row in of_release if not observations.is_fresh(row, version, store)]
        chosen = of_release if (package, version) in asked else [] if asked else missing
        if not chosen:
            continue
        try:
            observe(options.dlspec, package, version, chosen, store)
        except bench.Unjudged as why:
            print(f"{package}=={version}: {why}", flush=True)
            status = 3
        write(store, rows)
    write(store, rows)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
