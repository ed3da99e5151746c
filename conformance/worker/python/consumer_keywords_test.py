"""Each fault of a consumer in keywords, errors and flags is caught under its rule alone, and its twin is not."""

import unittest

import testing
import toys
import toys_conversing as faulty
from dlspec_worker import main, trial
from dlspec_worker.library import Library

trial.PATIENCE = 0.1


def judge(kind, variant, layout="c", dtype="float32"):
    library = Library(kind(), "/nowhere/toy.py")
    return main.judge(testing.make_case("consumer", variant, layout, dtype), library, toys.native)["outcomes"]


def breaches(outcomes):
    return {rule: each.get("verdict", "") for rule, each in outcomes.items() if each["outcome"] == "broken"}


# fault, clean twin, variant, layout, dtype, the rule that the fault breaks.
TABLE = (
    (faulty.NoKeywords, toys.Consumer, "keywords=none", "c", "float32", "python.from-dlpack-kwargs"),
    (faulty.NoNone, toys.Consumer, "keywords=none", "c", "float32", "python.from-dlpack-kwargs"),
    (faulty.AnyDevice, toys.Consumer, "device=nowhere", "c", "float32", "python.from-dlpack-device-honoured"),
    (faulty.TypeErrors, toys.Consumer, "no-methods", "c", "float32", "python.from-dlpack-attributeerror"),
    (faulty.Wraps, toys.Consumer, "source-raises", "c", "float32", "python.from-dlpack-propagates"),
    (faulty.HidesTheDevice, faulty.AsksTheDevice, "source-raises", "c", "float32", "python.from-dlpack-propagates"),
    (faulty.AnyWidth, toys.Consumer, "float-width", "c", "uint8", "dtype.fp6-fp4-consumer-stops"),
    (faulty.OnwardWritable, faulty.Onward, "read-only-onward", "readonly", "float32", "flags.read-only-propagated"),
)


class ConsumerKeywords(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for fault, _, variant, layout, dtype, rule in TABLE:
            with self.subTest(fault=fault.__name__):
                self.assertEqual(breaches(judge(fault, variant, layout, dtype)), {rule: ""})

    def test_clean_twins(self):
        for _, clean, variant, layout, dtype, _ in TABLE:
            with self.subTest(twin=clean.__name__, variant=variant):
                outcomes = judge(clean, variant, layout, dtype)
                self.assertEqual({each["outcome"] for each in outcomes.values()}, {"pass"}, outcomes)

    def test_an_older_edition_is_only_named(self):
        for variant in ("device=nowhere", "no-methods", "source-raises"):
            outcomes = judge(faulty.NoKeywords, variant)
            self.assertEqual({each["outcome"] for each in outcomes.values()}, {"not-applicable"}, variant)

    def test_what_the_adapter_disclaims_is_unsupported(self):
        outcomes = judge(faulty.Disclaims, "keywords=none")
        self.assertEqual({each["outcome"] for each in outcomes.values()}, {"unsupported"})


if __name__ == "__main__":
    unittest.main()
