"""The light part of the fleet, a test: newest releases against the baselines that dlspec ships."""

import re

import judging

SKIPPED = 77  # to ctest
UNREACHABLE = re.compile(r"dns error|failed to fetch|error sending request|connection|timed out|uv is not on PATH", re.I)


def verdict(subject, result):
    """What is wrong, or ""; and what is worth a word.

    A release that came out after the table was written may have lost a deviation: the baseline is stale, and nobody's build breaks.
    """
    said = "; ".join(result["said"])
    if result["status"] == 0:
        return "", ""
    if result["status"] == 4 and result["version"] != subject.known:
        return "", f"{result['version']} is newer than {subject.known}, which the baseline was made for: {said}"
    return f"exit status {result['status']}: {said}", ""


def run(dlspec, selected):
    """Exit status: 0 when each is as its baseline says, 1 when not, 77 without a network."""
    failed = 0
    for subject in selected:
        result = judging.judge(dlspec, subject, ("--baseline", "shipped"))
        if result["status"] == 3 and UNREACHABLE.search(result["unjudged"]):
            print(f"skipped: {subject.text} cannot be fetched without a network: {result['unjudged']}", flush=True)
            return SKIPPED
        wrong, note = verdict(subject, result)
        failed += bool(wrong)
        counts = ", ".join(f"{count} {status}" for status, count in result["counts"].items())
        print(f"{'FAILED' if wrong else 'ok    '}  {subject.text} {result['version']}: {wrong or counts}{'; ' + note if note else ''}", flush=True)
    return 1 if failed else 0
