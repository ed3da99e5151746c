"""A second release is told wherever it shows, in cases about something else, too."""

import unittest

import consumer_test
import testing
from dlspec_worker.imports import conduct
from exhibits import consumer_hostile as faulty
from exhibits import doubles


def judge(adapter, variant, layout="readonly"):
    """The answers of the case to its own rules and to that on releases, as every case of the plan is asked it."""
    rules = testing.variants()["consumer", variant, layout]
    return consumer_test.judge(adapter, variant, layout, rules=[*rules, conduct.RULE])["outcomes"]


class Conduct(unittest.TestCase):
    def test_a_second_release_in_a_case_about_flags(self):
        outcomes = judge(doubles.Importing(faulty.ForgetsWhatItReleased), "unknown-flags")
        self.assertEqual(testing.violations(outcomes), {conduct.RULE: "fail"})

    def test_the_twin_releases_once(self):
        outcomes = judge(doubles.Importing(doubles.Import), "unknown-flags")
        self.assertEqual(testing.violations(outcomes), {})
        self.assertEqual(outcomes[conduct.RULE], {"outcome": "not-applicable"})

    def test_what_the_destructor_of_a_capsule_repeats_is_left_to_the_rules_on_its_name(self):
        outcomes = judge(doubles.Consumer("versioned not renamed"), "unknown-flags")
        self.assertNotIn(conduct.RULE, testing.violations(outcomes))

    def test_another_deviation_of_the_case_is_told_in_its_place(self):
        class Both(faulty.CopiesAreWritable):
            def __del__(self):
                super().__del__()
                if hasattr(self, "taken"):
                    self.taken.release()

        outcomes = judge(doubles.Importing(Both), "flags=together", "c")
        self.assertEqual(testing.violations(outcomes), {"flags.read-only-respected": "warn"})


if __name__ == "__main__":
    unittest.main()
