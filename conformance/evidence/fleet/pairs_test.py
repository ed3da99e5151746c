"""Pairs: which there are, what a command's answer is taken for, and what explains a failure."""

import json
import pathlib
import tempfile
import unittest

import pairs
from subjects import Subject

PAIR = (Subject("numpy", "latest", True, "2.0"), Subject("open3d", "latest", False, "0.20"))
FINDING = {"id": "x", "package": "open3d-cpu", "role": "consumer", "rule": "managed.borrow", "status": "fail"}


def record(status="fail", rule="managed.borrow", producer="numpy@latest", consumer="open3d@latest"):
    return {
        "status": status,
        "rule": rule,
        "producer": producer,
        "consumer": consumer,
        "case": "exchange/float32/c/plain",
        "observed": "seen",
    }


class Pairs(unittest.TestCase):
    def points(self, *records, **finding):
        return list(pairs.open_points(PAIR, {"results": records}, [FINDING | finding]))

    def test_each_two_libraries_meet_once(self):
        found = pairs.read_pairs()
        names = {subject.library for pair in found for subject in pair}
        self.assertEqual(len(found), len(names) * (len(names) - 1) // 2)
        self.assertEqual(len({frozenset(pair) for pair in found}), len(found))
        self.assertTrue(all(subject.pinned for pair in found for subject in pair))

    def test_a_failure_is_explained_by_a_finding_of_the_library_in_its_part(self):
        self.assertEqual(self.points(record()), [])
        self.assertEqual(self.points(record("warn"), record("pass"), package="other"), [])
        for finding in ({"package": "numpy"}, {"role": "producer"}, {"rule": "x.y"}, {"status": "warn"}):
            self.assertEqual(
                self.points(record("crash"), **finding),
                ["numpy@latest to open3d@latest: crash managed.borrow in exchange/float32/c/plain: seen"],
            )
        self.assertEqual(self.points(record(), rule="x.y", also=["managed.borrow"]), [])

    def test_wrong_elements_are_explained_by_what_is_passed_over(self):
        wrong = record(rule="tensor.element-address")
        self.assertEqual(self.points(wrong, rule="tensor.byte-offset-honoured"), [])
        self.assertEqual(len(self.points(wrong, rule="managed.borrow")), 1)
        self.assertEqual(len(self.points(record(), rule="tensor.byte-offset-honoured")), 1)

    def test_what_the_command_says(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "dlspec")
            for status, document, why in (
                (0, {"results": [1]}, ""),
                (1, {"results": []}, ""),
                (3, {"results": []}, "missing"),
            ):
                script.write_text(
                    f"#!/bin/sh\necho missing >&2\necho '{json.dumps(document)}' > \"$7\"\nexit {status}\n"
                )
                script.chmod(0o755)
                self.assertEqual(pairs.judge(str(script), PAIR), (document, why))
            script.write_text("#!/bin/sh\nexit 2\n")
            self.assertRaises(RuntimeError, pairs.judge, str(script), PAIR)


if __name__ == "__main__":
    unittest.main()
