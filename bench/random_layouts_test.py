"""Tests of random_layouts.py, with a program in place of bench_rearrange."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import random_layouts  # noqa: E402

# Writes figures: the engine `fast` at twice the rate of the peer, but for the second layout, which it does at half.
PROGRAM = """#!{python}
import json, pathlib, sys
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
log = pathlib.Path({log!r})
log.write_text(log.read_text() + "x" if log.exists() else "x")
rows = []
for case in json.loads(pathlib.Path(options["--cases"]).read_text())["cases"]:
    fast = 0.25 if case["name"].endswith("/1") else 1
    ratios = {{"memcpy": 1.0, "slow": 0.4, "fast": fast, "numpy": 0.5}}
    row = {{"name": case["name"], "class": case["class"], "memcpy_us": 2.0, "ratios": ratios, "peers": ["numpy"]}}
    rows.append(row)
pathlib.Path(options["--json"]).write_text(json.dumps({{"cases": rows, "peers": "NumPy 2"}}))
"""


class Runs(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.log = self.folder / "log"
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM.format(python=sys.executable, log=str(self.log)))
        self.program.chmod(0o755)
        self.options = {"seed": 5, "count": 25, "threads": 1, "rounds": 3, "engines": "slow,fast"}

    def run_all(self):
        random_layouts.run(str(self.program), self.folder / "out", self.options)
        return list(random_layouts.report(*random_layouts.read(self.folder / "out")))

    def test_reports_shares_and_the_worst(self):
        lines = self.run_all()
        self.assertEqual(lines[0], "fast against the fastest of NumPy 2: 25 layouts")
        self.assertIn("worst 0.50", lines[1])
        self.assertEqual(lines[2], "at least 1.10: 96.0 %, below 0.95: 4.0 %, below 0.85: 4.0 %")
        self.assertTrue(lines[lines.index("the worst 20") + 1].startswith("0.50  5/1 ("), lines)
        self.assertTrue(lines[-1].endswith("slower than 1.3 times: 5/1 0.62"), lines[-1])

    def test_counts_every_layout_once_in_the_histogram(self):
        counts = [int(line.split()[3]) for line in random_layouts.histogram([0.1, 0.95, 0.94, 1.1, 7, 99])]
        self.assertEqual(sum(counts), 6)
        self.assertEqual(len(counts), len(random_layouts.BOUNDS) + 1)

    def test_goes_on_where_it_stopped(self):
        first = self.run_all()
        self.assertEqual(self.log.read_text(), "xxx")
        (self.folder / "out" / "000010.json").unlink()
        self.assertEqual(self.run_all(), first)
        self.assertEqual(self.log.read_text(), "xxxx")

    def test_refuses_to_mix_seeds(self):
        self.run_all()
        self.options["seed"] = 6
        with self.assertRaises(SystemExit):
            self.run_all()

    def test_says_that_no_peer_was_timed(self):
        case = {"name": "5/0", "class": "", "memcpy_us": 1, "ratios": {"fast": 1}, "peers": []}
        with self.assertRaises(SystemExit):
            list(random_layouts.report([case], ["fast"], "NumPy is missing"))


if __name__ == "__main__":
    unittest.main()
