"""What fuzz/shards does with parts, beside the command: shards_test.py DLSPEC"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
DLSPEC = sys.argv.pop(1)
RUN = ("run", "builtin", "--rules", "tensor.shape*")


class Shards(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def shards(self, status, *words, **variables):
        call = ["bash", str(ROOT / "fuzz/shards"), *words]
        environment = os.environ | {"DLSPEC": DLSPEC} | variables
        done = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def document(self, name):
        return json.loads((pathlib.Path(self.folder) / name).read_text(encoding="utf-8"))

    def test_a_run_in_parts_is_the_whole_run(self):
        whole = pathlib.Path(self.folder) / "whole.json"
        subprocess.run([DLSPEC, *RUN, "--quiet", "--json", whole], check=True)
        for part in ("2/3", "1/3", "3/3"):
            self.shards(0, "part", self.folder, part, *RUN)
        self.assertIn(" pass", self.shards(0, "merge", self.folder))
        self.assertEqual(self.document("result.json")["digest"], self.document("whole.json")["digest"])
        for name in ("report.md", "report.html", "junit.xml"):
            self.assertTrue((pathlib.Path(self.folder) / name).stat().st_size, name)

    def test_a_search_in_parts_is_one(self):
        for part in ("1/2", "2/2"):
            self.shards(0, "part", self.folder, part, "fuzz", "builtin", "--minutes", "0.01", "--jobs", "1")
        self.assertIn("1 pass", self.shards(0, "merge", self.folder))

    def test_a_part_that_is_missing_is_told(self):
        self.shards(0, "part", self.folder, "1/2", *RUN)
        self.assertIn("shard 2/2 of builtin is missing", self.shards(3, "merge", self.folder))
        self.assertIn("has no part-I.json", self.shards(3, "merge", f"{self.folder}/nowhere"))

    def test_what_is_wrong_with_the_command_is_told(self):
        self.assertIn("nosuch", self.shards(3, "part", self.folder, "1/2", "run", "./nosuch.py"))
        self.assertIn("is no shard", self.shards(2, "part", self.folder, "3/2", *RUN))
        self.assertIn("shards part FOLDER", self.shards(2, "part", self.folder, "1/2", "walk", "builtin"))
        self.assertIn("shards part FOLDER", self.shards(2))

    def test_findings_are_not_the_failure_of_a_part(self):
        dlspec = pathlib.Path(self.folder) / "dlspec"
        dlspec.write_text('#!/bin/sh\nexit "$STATUS"\n', encoding="utf-8")
        dlspec.chmod(0o755)
        for status, wanted in (("0", 0), ("1", 0), ("3", 3)):
            self.shards(wanted, "part", self.folder, "1/1", *RUN, DLSPEC=str(dlspec), STATUS=status)


if __name__ == "__main__":
    unittest.main()
