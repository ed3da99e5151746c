#!/usr/bin/env python3
"""Runs the parts that are too long for ctest, unit by unit, and remembers which are done.

bash fuzz/nightly               all parts; run again, it goes on where it ended
    --list          the parts and their state
    --only PART     this part alone; may be repeated
    --minutes N     starts no unit after so long
    --again         forgets what is done
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import time

import nightly_parts
import nightly_units
from nightly_units import ROOT

live = nightly_units.evidence_module("fleet", "fleet").live  # one line of progress on a terminal


def commit():
    """What the state belongs to: another commit, or other changes to it, begin anew."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=40"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "no repository"


class State:
    """How far each part is: on disk after every unit."""

    def __init__(self, folder, again=False):
        self.path = os.path.join(folder, "state.json")
        self.data = {"commit": commit(), "seed": int(time.time()), "parts": {}}
        os.makedirs(folder, exist_ok=True)
        if os.path.exists(self.path) and not again:
            with open(self.path, encoding="utf-8") as file:
                earlier = json.load(file)
            if earlier["commit"] == self.data["commit"]:
                self.data = earlier
            else:
                print(f"the sources have changed since {earlier['commit']}: every part begins anew")

    def of(self, part):
        return self.data["parts"].setdefault(part, {"done": 0, "seconds": 0, "failure": "", "facts": {}})

    def save(self):
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.data, file, indent=1)
        os.replace(self.path + ".new", self.path)


def line_of(part, progress):
    facts = ", ".join(
        f"{value:,} {name}" if isinstance(value, int) else f"{name} {value}"
        for name, value in progress["facts"].items()
    )
    return f"{part.name:10} {progress['done']:4}/{part.units:<4} {progress['seconds'] / 60:6.1f} min  {facts}"


def run_part(part, state, deadline):
    """Unit by unit until the part is done, fails, or the time is over."""
    progress = state.of(part.name)
    progress["failure"] = ""
    while progress["done"] < part.units and time.monotonic() < deadline:
        live(f"{line_of(part, progress)} ...")
        start = time.monotonic()
        try:
            facts = part.run(
                nightly_units.Unit(
                    ROOT, progress["done"], state.data["seed"], progress["facts"], deadline - start, live
                )
            )
        except nightly_units.Failure as failure:
            progress["failure"] = str(failure)
        progress["seconds"] += time.monotonic() - start
        if progress["failure"]:
            live(f"{part.name}: failed in unit {progress['done'] + 1}: {progress['failure']}", end=True)
            return state.save()
        facts = dict(facts or {})
        progress["done"] += 0 if facts.pop("unfinished", False) else 1
        progress["facts"].update(facts)
        live(line_of(part, progress), end=True)
        state.save()


Verdict = collections.namedtuple("Verdict", "word text")


def verdict_of(part, state):
    progress = state.of(part.name)
    missing = part.missing(ROOT)
    if progress["failure"]:
        return Verdict("FAILED", progress["failure"])
    if missing:
        return Verdict("skipped", missing)
    return Verdict("passed", "") if progress["done"] >= part.units else Verdict("to do", "")


def summary(parts, state):
    """Prints how all parts stand; whether one failed."""
    print(f"\ncommit {state.data['commit']}, seed {state.data['seed']}")
    verdicts = [verdict_of(part, state) for part in parts]
    for part, verdict in zip(parts, verdicts):
        print(f"  {verdict.word:8} {line_of(part, state.of(part.name))}{'  ' + verdict.text if verdict.text else ''}")
    if any(verdict.word == "to do" for verdict in verdicts):
        print("not finished: the same command goes on")
    return any(verdict.word == "FAILED" for verdict in verdicts)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bash fuzz/nightly", description="Everything that takes too long for ctest.")
    parser.add_argument("--list", action="store_true", help="the parts and their state")
    parser.add_argument(
        "--only",
        action="append",
        metavar="PART",
        choices=[part.name for part in nightly_parts.PARTS],
        help="this part alone; may be repeated",
    )
    parser.add_argument("--minutes", type=float, metavar="N", help="starts no unit after so long")
    parser.add_argument("--again", action="store_true", help="forgets what is done")
    parser.add_argument(
        "--state",
        default=os.path.join(ROOT, "build", "nightly"),
        metavar="FOLDER",
        help="where it is kept (build/nightly)",
    )
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    state = State(options.state, options.again)
    parts = [part for part in nightly_parts.PARTS if not options.only or part.name in options.only]
    if options.list:
        for part in parts:
            print(f"{verdict_of(part, state).word:8} {line_of(part, state.of(part.name))}\n           {part.what}")
        return 0
    deadline = time.monotonic() + 60 * (options.minutes if options.minutes is not None else 1e9)
    try:
        nightly_units.prepare(ROOT, live)
        for part in parts:
            if not part.missing(ROOT):
                run_part(part, state, deadline)
    except nightly_units.Failure as failure:
        print(f"dlspec: {failure}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        summary(parts, state)
        return 130
    return 1 if summary(parts, state) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
