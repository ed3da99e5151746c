"""Tests of reach.py: what is kept, what the table says, and what is complained about."""

import os
import sys
import tempfile
import unittest

import drawn
import lint
import listing
import lists
import reach


def run(cpu, found=True):
    return {"found": found, "inputs": int(1000 * cpu), "cpu": cpu}


class Reach(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "reach", "results.json")
        self.results = reach.Results(self.path, False)
        self.fault = lists.load_fuzzed()[0]

    def put(self, mode, *runs):
        for seed, each in enumerate(runs, 1):
            self.results.put(self.fault, mode, seed, each)

    def test_results_are_kept_and_forgotten(self):
        self.put("fields", run(1.0))
        self.assertEqual(reach.Results(self.path, False).get(self.fault, "fields", 1), run(1.0))
        self.assertIsNone(reach.Results(self.path, False).get(self.fault, "bytes", 1))
        self.assertIsNone(reach.Results(self.path, True).get(self.fault, "fields", 1))

    def test_a_search_ends_after_cpu_seconds_with_its_count(self):
        program = os.path.join(self.folder.name, "search")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!{sys.executable}\nimport sys, time\ntime.sleep(0.5)\n")
            file.write("print('#512\\tpulse\\n#1024\\tpulse', file=sys.stderr, flush=True)\nwhile True: pass\n")
        os.chmod(program, 0o755)
        found = reach._search(program, 1, 1, [])
        self.assertEqual((found["found"], found["inputs"]), (False, 1024))
        self.assertGreater(found["cpu"], 0.5)  # the kernel counts in ticks

    def test_the_table_has_medians_and_the_worst(self):
        self.put("fields", run(1.0), run(4.0), run(2.0))
        self.put("bytes", run(1.0), run(9.0, found=False), run(3.0))
        table = reach.table([self.fault], self.results, 3)
        self.assertIn("| 3 of 3, 2,000, 2.0 s (worst 4.0) | 2 of 3, 2,000, 2.0 s (worst 3.0) |", table)
        self.assertIn(
            "the dictionary: 1 of 1 faults by every seed; with libFuzzer's own mutations: 0 of 1 faults", table
        )

    def test_what_is_missing_late_or_not_found_is_complained_about(self):
        def said(*runs):
            self.put("fields", *runs)
            return [line.partition(":")[0] for line in reach.complaints([self.fault], self.results, 3)]

        self.assertEqual(said(run(1.0), run(2.0)), ["not found by every seed"])
        self.assertEqual(said(run(1.0), run(2.0), run(599.0)), [])
        self.assertEqual(said(run(1.0), run(2.0), run(601.0)), ["found too late"])
        self.assertEqual(said(run(1.0), run(11.0), run(12.0)), ["found too late"])
        self.assertEqual(said(run(1.0), run(2.0), run(3.0, found=False)), ["not found by every seed"])

    def test_the_table_replaces_the_one_before(self):
        page = os.path.join(self.folder.name, "page.md")
        with open(page, "w", encoding="utf-8") as file:
            file.write(f"before\n{reach.MARKS[0]}old\n{reach.MARKS[1]}behind\n")
        reach.write_into(page, "new\n")
        with open(page, encoding="utf-8") as file:
            self.assertEqual(file.read(), f"before\n{reach.MARKS[0]}new\n{reach.MARKS[1]}behind\n")

    def test_the_list_is_long_enough_and_fits(self):
        faults = lists.load_fuzzed()
        self.assertEqual(lint.of_fuzzed(faults), [])
        self.assertEqual(len(lint.of_fuzzed(faults[:3])), 1)
        self.assertEqual(len(lint.of_fuzzed([fault | {"fields": 1} for fault in faults])), 1)
        self.assertIn("the line is gone", lint.of_fuzzed([*faults, faults[0] | {"line": "no_such_line();"}])[0])

    def test_faults_are_drawn_by_the_seed_from_every_target(self):
        first = drawn.faults(1)
        self.assertEqual(first, drawn.faults(1))
        self.assertNotEqual([listing.key(fault) for fault in first[:9]],
                            [listing.key(fault) for fault in drawn.faults(2)[:9]])  # fmt: skip
        self.assertEqual({fault["target"] for fault in first}, {"validate", "extent", "constraint", "views"})
        self.assertTrue(all(fault["file"].startswith("optimized/") for fault in first))

    def test_the_table_of_drawn_faults_counts_what_is_found(self):
        always, sometimes, never = drawn.faults(1)[:3]
        for seed in (1, 2):
            self.results.put(always, "fields", seed, run(seed))
            self.results.put(sometimes, "fields", seed, run(seed, found=seed == 2))
            self.results.put(never, "fields", seed, run(9, found=False))
        table = drawn.table([always, sometimes, never], self.results, 2)
        self.assertIn("3 faults drawn by chance: 1 found by every seed, 1 by none.", table)
        for cell in ("| 2 of 2, 2.0 s at worst |", "| 1 of 2, 2.0 s at worst |", "| 0 of 2 |"):
            self.assertIn(cell, table)


if __name__ == "__main__":
    unittest.main()
