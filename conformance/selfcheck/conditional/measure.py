#!/usr/bin/env python3
"""How many conditional faults `dlspec run` finds, and how many under the rule that the exhibit was made for.

  measure.py [--build BUILD] [--jobs N] [--only GLOB] [--under GLOB] [--part N/M] [--unseen]
             [--command | --confirm] [--output FILE]

Python subjects are judged by the worker in forks of this process (warm.py), until the rule that was meant is found;
plug-ins, with --confirm those that survive, and with --command all of them, by `dlspec run` with the whole plan of
their role. --part takes every M-th. --unseen takes those of unseen_*.py, for which no check was made. The rows go to
FILE (subject, condition, whether it was met, the rules that name the fault, the rules that were found), the rates to
standard output.
Survivors without a reason in survivors.tsv, and in a whole measurement reasons that nothing needs, are an error.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import functools
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(HERE / "python"), str(ROOT / "conformance" / "python" / "package")]

import predicates  # noqa: E402
import rows  # noqa: E402
import warm  # noqa: E402
import zoo_rules  # noqa: E402
from result import read_result  # noqa: E402

FINDINGS = ("fail", "warn", "info", "crash", "timeout")
Row = collections.namedtuple("Row", "subject condition met meant found note")


def document_of(build, subject, condition, more=()):
    """(the result document of one subject or None, what `dlspec run` says last, whether the condition was met)."""
    with tempfile.TemporaryDirectory() as folder:
        output, met = pathlib.Path(folder, "result.json"), pathlib.Path(folder, "met")
        environment = {
            **os.environ,
            "DLSPEC_EXHIBIT": subject,
            "DLSPEC_CONDITION": condition,
            "DLSPEC_CONDITION_MET": str(met),
            "DLSPEC_NATIVE": str(build / "lib" / "python" / "dlspec" / "_native.abi3.so"),
        }
        native = subject.startswith("plugin:")
        adapter = build / "lib" / "dlspec" / "zoo.so" if native else HERE / "subject.py"
        role, _ = zoo_rules.facts(subject, condition)
        call = [build / "bin" / "dlspec", "run", adapter, "--role", role, "--jobs", "1", "--quiet", "--json", output]
        ended = subprocess.run([*call, *more], env=environment, capture_output=True, text=True)
        said = "" if ended.returncode in (0, 1) else (ended.stderr.strip().splitlines() or ["?"])[-1]
        document = read_result(output) if output.exists() else None
        return document, said, met.exists()


def run(build, subject, condition):
    """The row of one subject, by the command."""
    document, said, met = document_of(build, subject, condition)
    _, meant = zoo_rules.facts(subject, condition)
    return Row(subject, condition, met, meant, found_in(document) if document else set(), said)


def run_warm(loaded, build, confirm, subject, condition):
    """The same by a fork of this process; with `confirm`, what that does not find is tried by the command."""
    role, meant = zoo_rules.facts(subject, condition)
    judged = loaded.judge(subject, condition, role, meant)
    if confirm and not judged.found:
        return run(build, subject, condition)
    return Row(subject, condition, judged.met, meant, set(judged.found), judged.note)


def found_in(document):
    """Those of sequences are left out: the memory of a test double is not one for all its exports, as they demand."""
    records = [record for record in document["results"] if not warm.is_sequence(record["case"])]
    return {record["rule"] for record in records if record["status"] in FINDINGS}


def measure(given, pairs, done):
    """The rows of these (subject, condition), each told to `done`."""
    build = given.build.resolve()
    is_native = [subject.startswith("plugin:") for subject, _ in pairs]
    loaded = None if given.command or all(is_native) else warm.Warm(build)
    acts = [
        functools.partial(run, build, *pair)
        if given.command or native
        else functools.partial(run_warm, loaded, build, given.confirm, *pair)
        for pair, native in zip(pairs, is_native)
    ]
    results = []
    for row in in_processes(acts, given.jobs):
        results.append(row)
        done(row)
    return results


def in_processes(acts, jobs):
    """What each gives, in their order; of several processes each is a fork of this one."""
    if jobs == 1:
        yield from (act() for act in acts)
        return
    global _ACTS
    _ACTS = acts
    with concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
        yield from pool.map(_act, range(len(acts)))


def _act(number):
    return _ACTS[number]()


def line(row):
    found = ",".join(sorted(row.found)) or "-"
    return "\t".join(
        (row.subject, row.condition, "met" if row.met else "never met", "|".join(row.meant), found, row.note)
    ).rstrip()


def summary(results):
    """The rates, as text."""
    killed = [row for row in results if row.found]
    intended = [row for row in killed if row.found.intersection(row.meant)]
    alone = [row for row in intended if len(row.found) == 1]
    count = max(len(results), 1)
    parts = [f"{len(results)} conditional faults: {len({row.subject for row in results})} exhibits"]
    for text, which in (("found", killed), ("under the rule that was meant", intended), ("under no other", alone)):
        parts.append(f"{len(which)} {text} ({100 * len(which) / count:.1f} %)")
    return ", ".join(parts)


def reasons():
    """(subject, condition, why) of survivors.tsv; the first two are globs."""
    lines = (HERE / "survivors.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(text.split("\t")) for text in lines if text and not text.startswith("#")]


def explains(reason, row):
    return fnmatch.fnmatchcase(row.subject, reason[0]) and fnmatch.fnmatchcase(row.condition, reason[1])


def unexplained(results):
    """Survivors without a reason."""
    survivors = [row for row in results if not row.found]
    return [row for row in survivors if not any(explains(reason, row) for reason in reasons())]


def idle(results):
    """Reasons for what is found."""
    survivors = [row for row in results if not row.found]
    return [reason for reason in reasons() if not any(explains(reason, row) for row in survivors)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="*", help="glob over subjects")
    parser.add_argument("--under", default="*", help="glob over conditions; always and never are controls")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--unseen", action="store_true")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--command", action="store_true")
    how.add_argument("--confirm", action="store_true")
    parser.add_argument("--output", type=pathlib.Path)
    return parser.parse_args()


def chosen(given):
    """(subject, condition) of what is measured."""
    pairs = list(zoo_rules.unseen() if given.unseen else rows.combinations())
    if given.under in predicates.CONTROLS:
        pairs = [(subject, given.under) for subject, _ in rows.ROWS]
    pairs = [pair for pair in pairs if fnmatch.fnmatchcase(pair[0], given.only)]
    pairs = [pair for pair in pairs if fnmatch.fnmatchcase(pair[1], given.under)]
    number, parts = map(int, given.part.split("/"))
    return pairs[number - 1 :: parts]


def main():
    given = arguments()
    output = given.output.open("w", encoding="utf-8") if given.output else sys.stdout
    results = measure(given, chosen(given), lambda row: print(line(row), file=output, flush=True))
    print(summary(results))
    if given.unseen or given.under in predicates.CONTROLS:
        return 0
    wrong = [f"{row.subject} under {row.condition} survives without a reason" for row in unexplained(results)]
    if (given.only, given.under, given.part) == ("*", "*", "1/1"):
        wrong += [f"nothing needs the reason for {reason[0]} under {reason[1]}" for reason in idle(results)]
    print("".join(each + "\n" for each in wrong), end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
