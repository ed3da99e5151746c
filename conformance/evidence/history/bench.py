#!/usr/bin/env python3
"""The history bench: does `dlspec run` find the faults of faults.json, on the very releases that have them?

  python3 conformance/evidence/history/bench.py                 every fault; run again, it goes on where it ended
      --only GLOB      subjects that match, as in 'numpy==*' or 'zoo'
      --again          forgets what was found before
      --list           the subjects, and how many faults each has
      --dlspec FILE    the command (build/release/bin/dlspec)
      --state FOLDER   where results are kept (build/history)

Each release is judged once, with every rule and without being told what to look for. A fault is found when a record of
its role and rule has its status. Faults whose release cannot be installed are re-created in the zoo: `dlspec selftest`
shows those. Exit status: 0 all found, 1 a fault was missed, 3 a release could not be judged.
"""

import argparse
import collections
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(ROOT / "conformance" / "selfcheck" / "zoo"))
sys.path.append(str(ROOT / "conformance" / "python" / "package"))
import exhibit_rows  # noqa: E402
from result import read_result  # noqa: E402

FAILING = ("fail", "crash", "timeout")
ZOO = "zoo"


class Unjudged(Exception):
    """A subject that could not be judged; the message says why."""


@dataclasses.dataclass
class Outcome:
    fault: dict
    found: bool
    note: str  # the case and what was observed, or the exhibit; or what was seen in place of it


def faults():
    return json.loads((HERE / "faults.json").read_text(encoding="utf-8"))


def adapters():
    """Distribution on the package index -> (name of the adapter, megabytes of its environment)."""
    known = {}
    for facts in (HERE.parent / "adapters").glob("*.toml"):
        text = facts.read_text(encoding="utf-8")
        distribution = re.search(r'^distribution = "([^"\[]+)', text, re.M).group(1)
        size = re.search(r"^size = (\d+)", text, re.M)
        known[distribution] = (facts.stem.replace("_", "-"), int(size.group(1)) if size else 0)
    return known


def subjects(rows=None):
    """subject -> its faults; what is small to install comes first, the zoo before all."""
    known = adapters()
    table, sizes = collections.defaultdict(list), {ZOO: -1}
    for fault in faults() if rows is None else rows:
        if fault.get("exhibit"):
            table[ZOO].append(fault)
            continue
        if "device" in fault:
            continue  # seen on a machine that has it
        name, size = known[fault["package"]]
        subject = f"{name}=={fault['version']}"
        table[subject].append(fault)
        sizes[subject] = size
    return dict(sorted(table.items(), key=lambda item: (sizes[item[0]], item[0])))


def is_shown_by(record, fault):
    statuses = FAILING if fault["status"] == "fail" else (fault["status"],)
    return (
        record["role"] == fault["role"]
        and record["rule"] == fault["rule"]
        and record["status"] in statuses
        and fnmatch.fnmatchcase(record["case"], fault.get("case", "*"))
    )


def judged(fault, records):
    """Whether the records of a run show the fault."""
    for record in records:
        if is_shown_by(record, fault):
            return Outcome(fault, True, f"{record['case']}: {record['observed']}")
    of_rule = [record for record in records if (record["role"], record["rule"]) == (fault["role"], fault["rule"])]
    counts = collections.Counter(record["status"] for record in of_rule)
    seen = ", ".join(f"{count} {status}" for status, count in counts.items()) or "no such record"
    return Outcome(fault, False, f"wanted {fault['status']}, saw {seen}")


class Bench:
    """Runs dlspec, and keeps its documents for the next time."""

    def __init__(self, dlspec, state, again=False):
        self.dlspec, self.state = str(dlspec), pathlib.Path(state)
        self.state.mkdir(parents=True, exist_ok=True)
        self.key = self._key()
        if again:
            for old in self.state.glob("*.json"):
                old.unlink()

    def _key(self):
        """Results of another state of the sources count for nothing."""
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=40"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.strip() or "no repository"

    def judge(self, subject, rows):
        """The outcome of each of the subject's faults."""
        return self._judge_zoo(rows) if subject == ZOO else [judged(fault, self._records(subject)) for fault in rows]

    def is_kept(self, subject):
        return self._kept(subject) is not None

    def _kept(self, subject):
        path = self._path(subject)
        if not path.exists():
            return None
        kept = json.loads(path.read_text(encoding="utf-8"))
        return kept["records"] if kept["key"] == self.key else None

    def _path(self, subject):
        return self.state / f"{subject}.json"

    def _records(self, subject):
        records = self._kept(subject)
        if records is None:
            records = self._run(subject)
            whole = self._path(subject).with_suffix(".new")
            whole.write_text(json.dumps({"key": self.key, "records": records}), encoding="utf-8")
            os.replace(whole, self._path(subject))
        return records

    def _run(self, subject):
        path = self.state / "result"
        path.unlink(missing_ok=True)
        done = subprocess.run(
            [self.dlspec, "run", subject, "--yes", "--quiet", "--json", str(path)],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode not in (0, 1) or not path.exists():
            raise Unjudged(
                f"`dlspec run {subject}` ended with {done.returncode}: {' '.join(done.stderr.split())[-400:]}"
            )
        document = read_result(path)
        path.unlink()
        told = ("fail", "crash", "timeout", "warn", "info", "blocked", "unsupported")
        kept = ("role", "rule", "case", "status", "observed")
        return [
            {key: record.get(key, "") for key in kept} for record in document["results"] if record["status"] in told
        ]

    def _judge_zoo(self, rows):
        """selftest says of each rule whether each exhibit breaks it and no other."""
        exhibits = exhibit_rows.whole_table()
        wrong = {rule: self._selftest(rule) for rule in {fault["rule"] for fault in rows}}
        outcomes = []
        for fault in rows:
            row = f'DLSPEC_EXHIBIT({re.sub("[.-]", "_", fault["rule"])}, {fault["role"]}, "{fault["exhibit"]}",'
            note = wrong[fault["rule"]] if row in exhibits else "no exhibit of this rule and role:"
            outcomes.append(Outcome(fault, not note, f"{note} {fault['exhibit']}".strip()))
        return outcomes

    def _selftest(self, rule):
        """What is wrong with the exhibits of a rule, or ""."""
        done = subprocess.run(
            [self.dlspec, "selftest", "--rules", rule, "--quiet"],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode not in (0, 1):
            raise Unjudged(f"`dlspec selftest --rules {rule}` ended with {done.returncode}: {done.stderr[-400:]}")
        return " ".join(done.stdout.split())


def line_of(outcome):
    fault = outcome.fault
    word = "found " if outcome.found else "MISSED"
    release = f"{fault['package']} {fault['version']}"
    title = f"{word}  {release:<30} {fault['role']} {fault['rule']} ({fault['status']}) [{fault['id']}]"
    return f"{title}\n        {outcome.note[:200]}"


def figures(outcomes):
    """What was found of which kind, a line each. A fault of two releases counts once, when it is found in both."""
    kinds = (
        ("on the real package", [each for each in outcomes if not each.fault.get("exhibit")]),
        (
            "of these with a link to a tracker",
            [each for each in outcomes if not each.fault.get("exhibit") and each.fault["link"]],
        ),
        ("re-created in the zoo", [each for each in outcomes if each.fault.get("exhibit")]),
    )
    lines = []
    for what, of_kind in kinds:
        found = {}
        for each in of_kind:
            fault = each.fault.get("same", each.fault["id"])
            found[fault] = found.get(fault, True) and each.found
        lines.append(f"{sum(found.values())} of {len(found)} {what}")
    return lines


def parse(arguments):
    parser = argparse.ArgumentParser(description="Does dlspec find the faults of faults.json?")
    parser.add_argument("--only", metavar="GLOB", default="*", help="subjects that match")
    parser.add_argument("--again", action="store_true", help="forgets what was found before")
    parser.add_argument("--list", action="store_true", help="the subjects, and how many faults each has")
    parser.add_argument(
        "--dlspec", metavar="FILE", default=ROOT / "build" / "release" / "bin" / "dlspec", help="the command"
    )
    parser.add_argument("--state", metavar="FOLDER", default=ROOT / "build" / "history", help="where results are kept")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    table = {subject: rows for subject, rows in subjects().items() if fnmatch.fnmatchcase(subject, options.only)}
    if not table:
        print(f"no subject matches '{options.only}'; --list shows them", file=sys.stderr)
        return 2
    if options.list:
        for subject, rows in table.items():
            print(f"{len(rows):3}  {subject}")
        return 0
    bench = Bench(options.dlspec, options.state, options.again)
    outcomes, unjudged = [], []
    for subject, rows in table.items():
        try:
            found = bench.judge(subject, rows)
        except Unjudged as why:
            unjudged.append(subject)
            print(f"NOT JUDGED  {subject}: {why}", flush=True)
            continue
        print("\n".join(map(line_of, found)), flush=True)
        outcomes += found
    print("\n".join(figures(outcomes)))
    if unjudged:
        print(f"not judged: {', '.join(unjudged)}")
        return 3
    return 0 if all(each.found for each in outcomes) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        sys.exit(130)
