"""Lethal subjects beside an honest one: each is reported as what it is, and no verdict on another changes.

Usage: containment_test.py BUILD_DIR
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

FAKES = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(FAKES, "..", "..", "python", "package"))

from result import read_result  # noqa: E402

# The report on each, in the one case in which it dies.
LETHAL = {
    "segfault": ("crash", "killed by SIGSEGV before answering"),
    "abort": ("crash", "killed by SIGABRT before answering"),
    "division": ("crash", "killed by SIGFPE before answering"),
    "illegal": ("crash", "killed by SIGILL before answering"),
    "overflow": ("crash", "killed by SIGSEGV before answering"),
    "endless": ("timeout", "no answer within 3 s"),
    "gil_deadlock": ("timeout", "no answer within 3 s"),
    "leave": ("crash", "exited with status 0 before answering"),
    "hog": ("crash", "memory limit: more than 128 MiB resident"),
    "double_free": ("crash", "killed by SIGABRT before answering"),
    "exception_through_c": ("crash", "killed by SIGABRT: a C++ exception that nobody caught, std::bad_alloc"),
    "rubbish": ("crash", 'wrote rubbish on the channel: not JSON: "rubbish"'),
}
CASES = "*/float32/{c,negative,empty}/{max_version=1.3,versioned,unknown-dtype}"
FATAL = "producer/float32/negative/max_version=1.3"


def run(build, names, jobs):
    """name -> its records, without the name."""
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        command = [
            os.path.join(build, "bin", "dlspec"),
            "run",
            *(os.path.join(FAKES, name + ".py") for name in names),
            "--python",
            sys.executable,
            "--case",
            CASES,
            "--timeout",
            "3",
            "--memory",
            "128",
            "--jobs",
            str(jobs),
            "--quiet",
            "--json",
            result,
        ]
        environment = dict(os.environ, PYTHONPATH=os.path.join(build, "lib", "python"))
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        expected = 1 if set(names) & set(LETHAL) else 0
        assert done.returncode == expected, (done.returncode, done.stdout, done.stderr)
        document = read_result(result)
    records = collections.defaultdict(list)
    for record in document["results"]:
        name = os.path.splitext(os.path.basename(record["subject"]))[0]
        text = json.dumps(record, sort_keys=True).replace(record["subject"], "SUBJECT")
        records[name].append((record["case"], record["rule"], record["status"], record.get("observed", ""), text))
    return records


def check_lethal(name, records, honest):
    """The death is recorded once, in its case, and blocks the rest of that case; no other record differs."""
    status, observed = LETHAL[name]
    fatal = [record for record in records if record[0] == FATAL]
    deaths = [record[1:4] for record in records if record[2] in ("crash", "timeout")]
    assert deaths == [("tensor.element-address", status, observed)], (name, deaths)
    others = {record[2:4] for record in fatal if record[1] != "tensor.element-address"}
    assert others == {("blocked", f"by tensor.element-address: {observed}")}, (name, others)
    elsewhere = [record for record in records if record[0] != FATAL]
    assert elsewhere == [record for record in honest if record[0] != FATAL], name


def main(build):
    alone = run(build, ["honest"], 1)["honest"]
    assert {record[2] for record in alone if record[0] == FATAL} <= {"pass", "not-applicable"}, alone
    names = list(LETHAL)
    for order, jobs in (
        (["honest", *names], 6),
        ([*reversed(names), "honest"], 2),
        ([*names[6:], "honest", *names[:6]], 3),
    ):
        records = run(build, order, jobs)
        assert records["honest"] == alone, "the honest subject was judged otherwise"
        for name in names:
            check_lethal(name, records[name], alone)
        print(f"{len(names)} lethal subjects with --jobs {jobs}: each contained", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
