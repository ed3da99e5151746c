"""The light part of the fleet, a test: pinned releases against the shipped baselines and the counts of the table."""

import re

import judging
import subjects

SKIPPED = 77  # to ctest
UNREACHABLE = re.compile(
    r"dns error|failed to fetch|error sending request|connection|timed out|uv is not on PATH", re.IGNORECASE
)
PYTHON = "CPython 3.11."  # the interpreter that the counts hold for; elsewhere the baselines alone decide


def difference(expected, counts):
    """How the counts differ, or ""."""
    statuses = [status for status in {**expected, **counts} if expected.get(status, 0) != counts.get(status, 0)]
    return ", ".join(
        f"{counts.get(status, 0)} {status} where {expected.get(status, 0)} are expected" for status in statuses
    )


def verdict(subject, result):
    """What is wrong, or ""."""
    if result["status"] != 0:
        return f"exit status {result['status']}: {'; '.join(result['said'])}"
    if not result["interpreter"].startswith(PYTHON):
        return ""
    return difference(dict(subject.counts), result["counts"])


def judge(dlspec, subject):
    with subjects.constraints(subject) as constraints:
        return judging.judge(dlspec, subject, ("--baseline", "shipped"), constraints)


def run(dlspec, selected):
    """Exit status: 0 when each is as its row and its baseline say, 1 when not, 77 without a network."""
    failed = 0
    for subject in selected:
        result = judge(dlspec, subject)
        if result["status"] == 3 and UNREACHABLE.search(result["unjudged"]):
            print(f"skipped: {subject.text} cannot be fetched without a network: {result['unjudged']}", flush=True)
            return SKIPPED
        wrong = verdict(subject, result)
        failed += bool(wrong)
        counts = ", ".join(f"{count} {status}" for status, count in result["counts"].items())
        print(f"{'FAILED' if wrong else 'ok    '}  {subject.text}: {wrong or counts}", flush=True)
    if failed:
        print("where the new counts are right: python3 conformance/evidence/fleet/fleet.py --record")
    return 1 if failed else 0


def record(dlspec, selected, path=subjects.TABLE):
    """Writes the counts of the selected subjects into the table."""
    rows = subjects.read_rows(path)
    for subject in selected:
        result = judge(dlspec, subject)
        if result["status"] != 0 or not result["interpreter"].startswith(PYTHON):
            said = "; ".join(result["said"]) or result["interpreter"]
            raise SystemExit(f"fleet.py: {subject.text} is not recorded: exit status {result['status']}, {said}")
        next(row for row in rows if row["library"] == subject.library)["counts"] = result["counts"]
    subjects.write_rows(rows, path)
    return 0
