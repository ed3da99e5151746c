#!/usr/bin/env python3
"""Runs `dlspec run` with its whole plan, paths and sequences too, on every odd subject: none may be blamed.

  every_row.py [--build BUILD] [--jobs N] [--only GLOB] [--part N/M]

Prints each failure and warning that the row does not expect, and what it was under. Ends with 1 where there is any.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "conformance" / "worker" / "python")]
sys.path.append(str(ROOT / "conformance" / "python" / "package"))

import rows  # noqa: E402
from result import read_result  # noqa: E402

BLAMED = ("fail", "warn", "crash", "timeout", "error")


def run(build, role, row, more=()):
    """(findings as lines, counts of statuses) of one subject."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "result.json")
        environment = {**os.environ, "DLSPEC_ODD_ROLE": role, "DLSPEC_ODD_ROW": row}
        call = [build / "bin" / "dlspec", "run", HERE / "subject.py", "--role", role, "--jobs", "1", "--quiet"]
        call += ["--json", output, *more]
        ended = subprocess.run(call, env=environment, capture_output=True, text=True)
        if not output.exists() or ended.returncode not in (0, 1):
            return [f"dlspec ended with {ended.returncode}: {ended.stderr.strip()[-400:]}"], collections.Counter()
        results = read_result(output)["results"]
    counts = collections.Counter(each["status"] for each in results)
    expected = rows.EXPECTED.get(row, ())
    blamed = [each for each in results if each["status"] in BLAMED and each["rule"] not in expected]
    return [f"{each['status']} {each['rule']} {each['case']}: {each.get('observed', '')}" for each in blamed], counts


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    asked.add_argument("--jobs", type=int, default=os.cpu_count())
    asked.add_argument("--only", default="*")
    asked.add_argument("--part", default="1/1")
    given, more = asked.parse_known_args()
    number, parts = map(int, given.part.split("/"))
    chosen = [(role, row) for role, table in rows.ROWS.items() for row in table if fnmatch.fnmatch(row, given.only)]
    chosen = chosen[number - 1 :: parts]
    wrong, total = 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for (role, row), (found, counts) in zip(chosen, pool.map(lambda pair: run(given.build, *pair, more), chosen)):
            total.update(counts)
            wrong += bool(found)
            print(f"{'WRONG' if found else 'ok':5} {role}: {row}", *found, sep="\n      ", flush=True)
    print(f"{len(chosen)} subjects, {wrong} blamed; {dict(total)}")
    return 1 if wrong or not total["pass"] else 0


if __name__ == "__main__":
    sys.exit(main())
