#!/usr/bin/env python3
"""stimuli.def is as the plan says, and stimuli.py sees where it is not.

stimuli_test.py [ROOT]
"""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else HERE.parents[1]
sys.path.insert(0, str(HERE))
import stimuli  # noqa: E402


class Stimuli(unittest.TestCase):
    def setUp(self):
        self.tables = stimuli.Tables(ROOT)

    def complaints(self):
        return list(stimuli.complaints(self.tables))

    def test_the_table_is_as_the_plan_says(self):
        self.assertEqual(self.complaints(), [])

    def test_the_tables_are_read_whole(self):
        for place, macro, rows in (
            ("reference/vocabulary/rules.def", "DLSPEC_RULE(", self.tables.rules),
            ("conformance/plan/stimuli.def", "DLSPEC_STIMULUS(", self.tables.stimuli),
        ):
            self.assertEqual(self.tables.read(place).count(macro), len(rows), place)
        text = self.tables.read("conformance/plan/variants.def")
        self.assertEqual(len(self.tables.variants), len({row.split('",')[0] for row in text.split("VARIANT(")[1:]}))
        self.assertEqual(set(self.tables.path_rules), {"producer", "consumer"})
        self.assertGreater(len(self.tables.levels), 60)

    def test_a_case_that_is_not_there_is_seen(self):
        self.tables.variants.pop(("consumer", "rank=33"))
        self.assertEqual(len(self.complaints()), 1)
        self.tables.levels.discard(("producer", "after=reshaped"))
        self.assertEqual(len(self.complaints()), 2)

    def test_a_case_that_decides_something_else_is_seen(self):
        self.tables.variants["consumer", "rank=33"].clear()
        self.assertEqual(len(self.complaints()), 1)

    def test_a_rule_without_a_stimulus_is_seen(self):
        self.tables.stimuli = [row for row in self.tables.stimuli if row[0] != "capsule_race"]
        self.assertEqual(self.complaints(), ["capsule.race is checked, and no stimulus of it is tried"])

    def test_a_row_without_cases_and_reason_is_seen(self):
        self.tables.stimuli.append(("capsule_race", "anything", [], ""))
        self.tables.stimuli.append(("capsule_races", "anything", ["consumer:race"], ""))
        self.assertEqual(len(self.complaints()), 2)

    def test_a_hostile_struct_of_no_stimulus_is_seen(self):
        self.tables.variants["consumer", "hostile=unheard-of"] = set()
        self.assertEqual(len(self.complaints()), 1)


if __name__ == "__main__":
    unittest.main()
