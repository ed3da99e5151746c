"""The subjects whose outcome is known, and a library that changes the worker."""

import unittest
import unittest.mock

import testing
from dlspec_worker import known, main
from dlspec_worker.imports import importing

native = testing.load_native()

CASES = {"producer": "max_version=1.3", "consumer": "versioned"}
VIOLATED = {"producer": "tensor.strides-not-null", "consumer": "tensor.element-address"}


def violated(role, kind):
    """The rules that are violated, and the kinds of all other findings."""
    case = dict(testing.make_case(role, CASES[role]), known=kind)
    outcomes = main.judge(case, None, native)["outcomes"]
    return [rule for rule, answer in outcomes.items() if answer["outcome"] in ("violated", "info")]


class Known(unittest.TestCase):
    def test_the_conforming_ones_conform(self):
        for role in CASES:
            self.assertEqual(violated(role, "good"), [], role)

    def test_the_faulty_ones_break_one_rule(self):
        for role, rule in VIOLATED.items():
            self.assertEqual(violated(role, "bad"), [rule], role)

    def test_meddling_is_seen(self):
        with unittest.mock.patch.object(importing, "judge_elements", lambda trial, found, rule=None, array=None: True):
            self.assertEqual(violated("consumer", "bad"), [])

    def test_the_subject_is_not_asked(self):
        library = known.library(native, "good")
        self.assertEqual(library.roles(), ["producer", "consumer"])
        self.assertEqual(library.standard, "array-api")


if __name__ == "__main__":
    unittest.main()
