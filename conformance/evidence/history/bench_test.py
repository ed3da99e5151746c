"""The bench with a dlspec that answers as it is told: what counts as found, what is kept, exit statuses."""

import contextlib
import io
import json
import pathlib
import stat
import tempfile
import unittest
from unittest import mock

import bench

TORCH = {
    "id": "a",
    "package": "torch",
    "version": "2.2.2",
    "role": "consumer",
    "rule": "tensor.byte-offset-honoured",
    "status": "fail",
    "what": "",
    "why": "",
    "link": "https://example.org/1",
}
NUMPY = {
    **TORCH,
    "id": "b",
    "package": "numpy",
    "version": "1.26.4",
    "role": "producer",
    "rule": "python.kwargs-2023",
    "status": "warn",
    "link": "",
}
SHOWN = {
    **TORCH,
    "id": "c",
    "package": "cupy",
    "version": "8",
    "rule": "capsule.single-consumption",
    "exhibit": "doubles.Consumer:used capsule taken",
}

FAKE = """#!/usr/bin/env python3
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
open(here + "/calls", "a").write(" ".join(sys.argv[1:3]) + "\\n")
answer = json.load(open(here + "/answers")).get(sys.argv[2] if sys.argv[1] == "run" else "zoo", {})
if "--json" in sys.argv and "results" in answer:
    json.dump({"results": answer["results"]}, open(sys.argv[sys.argv.index("--json") + 1], "w"))
print(answer.get("says", ""))
sys.exit(answer.get("status", 0))
"""


def record(fault, status=None, case="consumer/float32/offset/versioned"):
    return {
        "role": fault["role"],
        "rule": fault["rule"],
        "case": case,
        "status": status or fault["status"],
        "observed": "seen",
    }


def executable(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


class BenchTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(temporary.name)
        self.fake = executable(self.folder / "dlspec", FAKE)
        self.addCleanup(temporary.cleanup)

    def bench(self, rows, answers, *arguments, key="k1"):
        (self.folder / "answers").write_text(json.dumps(answers))
        printed = io.StringIO()
        with (
            mock.patch.object(bench, "faults", lambda: rows),
            mock.patch.object(bench.Bench, "_key", lambda _: key),
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
        ):
            status = bench.main(["--dlspec", str(self.fake), "--state", str(self.folder / "state"), *arguments])
        return status, printed.getvalue()

    def calls(self):
        path = self.folder / "calls"
        return path.read_text().split("\n")[:-1] if path.exists() else []

    def test_a_fault_is_found_by_role_rule_and_status(self):
        rows = [TORCH, NUMPY]
        good = {
            "torch==2.2.2": {"status": 1, "results": [record(TORCH)]},
            "numpy==1.26.4": {"results": [record(NUMPY)]},
        }
        status, printed = self.bench(rows, good)
        self.assertEqual(status, 0, printed)
        self.assertIn("2 of 2 on the real package", printed)
        self.assertIn("1 of 1 of these with a link", printed)
        for wrong in (
            {"status": "info"},
            {"status": "blocked"},
            {"role": "producer"},
            {"rule": "tensor.element-address"},
        ):
            bad = {**good, "torch==2.2.2": {"results": [{**record(TORCH), **wrong}]}}
            status, printed = self.bench(rows, bad, "--again")
            self.assertEqual(status, 1, (wrong, printed))
            self.assertRegex(printed, r"MISSED +torch 2.2.2")
            self.assertIn("1 of 2 on the real package", printed)

    def test_a_death_is_a_failure_and_a_warning_is_none(self):
        for status, found in (("crash", 0), ("timeout", 0), ("warn", 1)):
            answers = {"torch==2.2.2": {"status": 1, "results": [record(TORCH, status)]}}
            self.assertEqual(self.bench([TORCH], answers, "--again")[0], found, status)
        answers = {"numpy==1.26.4": {"status": 1, "results": [record(NUMPY, "fail")]}}
        self.assertEqual(self.bench([NUMPY], answers, "--again")[0], 1, "a warning that became a failure")

    def test_a_row_may_name_the_case(self):
        row = {**TORCH, "case": "*/offset/legacy"}
        answers = {"torch==2.2.2": {"status": 1, "results": [record(TORCH)]}}
        self.assertEqual(self.bench([row], answers)[0], 1)
        answers["torch==2.2.2"]["results"].append(record(TORCH, case="consumer/float32/offset/legacy"))
        self.assertEqual(self.bench([row], answers, "--again")[0], 0)

    def test_what_was_judged_is_not_judged_again(self):
        answers = {"torch==2.2.2": {"status": 1, "results": [record(TORCH)]}}
        for _ in range(2):
            self.assertEqual(self.bench([TORCH], answers)[0], 0)
        self.assertEqual(self.calls(), ["run torch==2.2.2"])
        self.bench([TORCH], answers, key="k2")
        self.assertEqual(len(self.calls()), 2, "other sources are judged anew")
        self.bench([TORCH], answers, "--again", key="k2")
        self.assertEqual(len(self.calls()), 3)

    def test_what_is_not_judged_is_neither_found_nor_kept(self):
        for answer in ({"status": 3, "says": "no network"}, {"status": 0}):
            status, printed = self.bench([TORCH], {"torch==2.2.2": answer})
            self.assertEqual(status, 3)
            self.assertIn("NOT JUDGED  torch==2.2.2", printed)
        self.assertEqual(self.bench([TORCH], {"torch==2.2.2": {"results": [record(TORCH)]}})[0], 0)

    def test_the_zoo_is_asked_once_for_a_rule(self):
        again = {**SHOWN, "id": "d", "package": "dgl"}
        status, printed = self.bench([SHOWN, again], {})
        self.assertEqual((status, self.calls()), (0, ["selftest --rules"]), printed)
        self.assertIn("2 of 2 re-created in the zoo", printed)
        status, printed = self.bench([SHOWN], {"zoo": {"status": 1, "says": "WRONG  doubles.Consumer"}})
        self.assertEqual(status, 1)
        self.assertRegex(printed, "MISSED +cupy 8")
        other = {**SHOWN, "rule": "managed.deleter-once"}
        self.assertEqual(self.bench([other], {})[0], 1, "an exhibit of another rule")

    def test_one_fault_in_two_releases_counts_once(self):
        later = {**TORCH, "id": "later", "version": "2.9.1", "same": TORCH["id"]}
        for seen, figure in (
            ({"results": [record(later)]}, "1 of 1"),
            ({"results": [record(later) | {"status": "warn"}]}, "0 of 1"),
        ):
            answers = {"torch==2.2.2": {"results": [record(TORCH)]}, "torch==2.9.1": seen}
            self.assertIn(f"{figure} on the real package", self.bench([TORCH, later], answers, "--again")[1])

    def test_subjects_by_size_and_by_pattern(self):
        self.assertEqual(list(bench.subjects([TORCH, NUMPY, SHOWN])), ["zoo", "numpy==1.26.4", "torch==2.2.2"])
        status, printed = self.bench([TORCH, NUMPY], {}, "--list", "--only", "numpy*")
        self.assertEqual((status, printed), (0, "  1  numpy==1.26.4\n"))
        self.assertEqual(self.bench([TORCH], {}, "--only", "nothing*")[0], 2)
        self.assertFalse(self.calls())


if __name__ == "__main__":
    unittest.main()
