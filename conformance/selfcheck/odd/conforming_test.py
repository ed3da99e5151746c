"""Subjects that are odd and conform are not blamed: no failure, no warning, nothing that dlspec trips over."""

import collections
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(os.path.dirname(HERE)), "worker", "python")]

import consumers  # noqa: E402
import producers  # noqa: E402
import testing  # noqa: E402
from dlspec_worker import main  # noqa: E402
from dlspec_worker.observing import leaks  # noqa: E402
from dlspec_worker.subject.library import Library  # noqa: E402
from dlspec_worker.trial import waiting  # noqa: E402

native = testing.load_native()
native.set_quarantine(64)
waiting.PATIENCE = 0.1  # these subjects release at once
leaks.WARM_UP, leaks.BATCH = 50, 200
DTYPES = ("float32", "uint8", "complex128", "float32", "bool", "int64")  # in turn: a row is tried with one
# That a library is of 2021 is reported once, by the rule that says so.
EXPECTED = {
    "2021, nothing but a stream": {"python.kwargs-2023"},
    "2021, and never claimed the array API": {"python.kwargs-2023"},
    "no keywords": {"python.from-dlpack-kwargs"},
}


def verdict_of(rule, answer):
    """fail, warn, info, or "" for what is no finding."""
    if answer["outcome"] != "broken":
        return ""
    return answer.get("verdict") or native.rule(rule)["broken"]


def judged(role, adapter, dtype):
    """(case, its answer) for every variant and layout of the plan's tables."""
    library = Library(adapter, "/nowhere/odd.py")
    for (tried, variant, layout), rules in testing.variants().items():
        if tried == role:
            case = testing.make_case(role, variant, layout, dtype, rules)
            yield case["id"], main.judge(case, library, native)


class Conforming(unittest.TestCase):
    def check(self, role, rows):
        for number, (name, adapter) in enumerate(rows.items()):
            dtype = DTYPES[number % len(DTYPES)]
            with self.subTest(odd=name, dtype=dtype):
                self.check_one(role, adapter, dtype, EXPECTED.get(name, set()))

    def check_one(self, role, adapter, dtype, expected):
        blamed, kinds = [], collections.Counter()
        for case, answer in judged(role, adapter, dtype):
            self.assertNotIn("adapter_fault", answer, case)
            for rule, each in answer.get("outcomes", {}).items():
                kinds[each["outcome"]] += 1
                tripped = each["outcome"] == "blocked" and "dlspec's worker failed" in each["observed"]
                if tripped or (verdict_of(rule, each) in ("fail", "warn") and rule not in expected):
                    blamed.append((case, rule, each["observed"]))
        self.assertEqual(blamed, [])
        return kinds

    def test_producers(self):
        self.check("producer", producers.ROWS)

    def test_consumers(self):
        self.check("consumer", consumers.ROWS)

    def test_the_ordinary_ones_are_judged(self):
        for role, rows in (("producer", producers.ROWS), ("consumer", consumers.ROWS)):
            kinds = self.check_one(role, next(iter(rows.values())), "float32", set())
            self.assertGreater(kinds["pass"], 2 * sum(kinds.values()) // 5, kinds)


if __name__ == "__main__":
    unittest.main()
