"""Subjects that are odd and conform are not blamed: no failure, no warning, nothing that dlspec trips over."""

import collections
import gc
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(os.path.dirname(HERE)), "worker", "python")]

import consumers  # noqa: E402
import producers  # noqa: E402
import testing  # noqa: E402
from dlspec_worker import exchanges, main  # noqa: E402
from dlspec_worker.observing import leaks  # noqa: E402
from dlspec_worker.subject import own  # noqa: E402
from dlspec_worker.subject.library import Library  # noqa: E402
from dlspec_worker.trial import waiting  # noqa: E402

native = testing.load_native()
native.set_quarantine(64)
waiting.PATIENCE = 0.1  # these subjects release at once
leaks.WARM_UP, leaks.BATCH = 50, 200
gc.collect()
gc.freeze()  # as the worker does: collections are what takes the time
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
    return str(testing.verdict(rule, answer))


def judged(role, adapter, dtype):
    """(case, its answer) for every variant and layout of the plan's tables."""
    library = Library(adapter, "/nowhere/odd.py")
    for (tried, variant, layout), rules in testing.variants().items():
        # Who trusts producers may die of what no producer may make, and gets a warning for that.
        if tried == role and not variant.startswith("hostile="):
            case = testing.make_case(role, variant, layout, dtype, rules)
            yield case["id"], main.judge(case, library, native)


def blamed(case, answer, expected=()):
    """(case, rule, what was observed) of each failure and warning, and of what dlspec tripped over."""
    return [
        (case, rule, each["observed"])
        for rule, each in answer.get("outcomes", {}).items()
        if (each["outcome"] == "blocked" and "dlspec's worker failed" in each["observed"])
        or (verdict_of(rule, each) in ("fail", "warn") and rule not in expected)
    ]


class Conforming(unittest.TestCase):
    def check(self, role, rows):
        for number, (name, adapter) in enumerate(rows.items()):
            dtype = DTYPES[number % len(DTYPES)]
            with self.subTest(odd=name, dtype=dtype):
                self.check_one(role, adapter, dtype, EXPECTED.get(name, set()))

    def check_one(self, role, adapter, dtype, expected):
        found, kinds = [], collections.Counter()
        for case, answer in judged(role, adapter, dtype):
            self.assertNotIn("adapter_fault", answer, case)
            kinds.update(each["outcome"] for each in answer.get("outcomes", {}).values())
            found += blamed(case, answer, expected)
        self.assertEqual(found, [])
        return kinds

    def test_producers(self):
        self.check("producer", producers.ROWS)

    def test_consumers(self):
        self.check("consumer", consumers.ROWS)

    def test_exchanges(self):
        """Each with dlspec's own array, or with dlspec's own consumer."""
        ours = own.library(native)
        pairs = [(name, Library(adapter, ""), ours) for name, adapter in producers.ROWS.items()]
        pairs += [(name, ours, Library(adapter, "")) for name, adapter in consumers.ROWS.items()]
        for name, *sides in pairs:
            with self.subTest(odd=name):
                for variant, layout in testing.exchanges():
                    answer = exchanges.judge(testing.make_case("exchange", variant, layout), sides, native)
                    self.assertNotIn("adapter_fault", answer)
                    self.assertEqual(blamed(variant, answer), [])

    def test_the_ordinary_ones_are_judged(self):
        for role, rows in (("producer", producers.ROWS), ("consumer", consumers.ROWS)):
            kinds = self.check_one(role, next(iter(rows.values())), "float32", set())
            self.assertGreater(kinds["pass"], 2 * sum(kinds.values()) // 5, kinds)


if __name__ == "__main__":
    unittest.main()
