"""Each fault of a consumer in keywords, errors and flags is reported under its rule alone, and its twin is not."""

import unittest

import testing
from dlspec_worker import main
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import consumer_keywords as faulty
from exhibits import doubles

waiting.PATIENCE = 0.1


def judge(kind, variant, layout="c", dtype="float32"):
    library = Library(kind(), "/nowhere/double.py")
    return main.judge(testing.make_case("consumer", variant, layout, dtype), library, doubles.native)["outcomes"]


def deviations(outcomes):
    return {rule: testing.verdict(rule, each) for rule, each in outcomes.items() if each["outcome"] == "violated"}


# fault, clean twin, variant, layout, dtype, the rule that is violated
TABLE = (
    (faulty.NoKeywords, doubles.Consumer, "keywords=none", "c", "float32", "python.from-dlpack-kwargs"),
    (faulty.NoNone, doubles.Consumer, "keywords=none", "c", "float32", "python.from-dlpack-kwargs"),
    (faulty.AnyDevice, doubles.Consumer, "device=nowhere", "c", "float32", "python.from-dlpack-device-honoured"),
    (faulty.TypeErrors, doubles.Consumer, "no-methods", "c", "float32", "python.from-dlpack-attributeerror"),
    (faulty.Wraps, doubles.Consumer, "source-raises", "c", "float32", "python.from-dlpack-propagates"),
    (faulty.HidesTheDevice, doubles.Consumer, "source-raises", "c", "float32", "python.from-dlpack-propagates"),
    (faulty.AnyWidth, doubles.Consumer, "float-width", "c", "uint8", "dtype.fp6-fp4-consumer-stops"),
    (faulty.PaddedWidths, doubles.Consumer, "float-width", "c", "uint8", "dtype.fp6-fp4-consumer-stops"),
    (faulty.OnwardWritable, faulty.Onward, "read-only-onward", "readonly", "float32", "flags.read-only-propagated"),
)


class WithoutWriting(faulty.WithoutReadOnly):
    """As an adapter of which nobody said how its library writes."""

    write = None


class ConsumerKeywords(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for fault, _, variant, layout, dtype, rule in TABLE:
            with self.subTest(fault=fault.__name__):
                self.assertEqual(deviations(judge(fault, variant, layout, dtype)), {rule: ""})

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

    def test_who_has_no_read_only_arrays_cannot_remember_the_flag(self):
        for kind in (faulty.WithoutReadOnly, WithoutWriting):
            outcomes = judge(kind, "read-only-onward", "readonly")
            self.assertEqual({each["outcome"] for each in outcomes.values()}, {"info"}, kind)

    def test_a_capsule_that_is_released_again_was_not_renamed(self):
        # The second import is refused only after a release, when the tensor is gone.
        self.assertEqual(deviations(judge(faulty.Retakes, "versioned")), {"capsule.renamed-versioned": ""})
        self.assertEqual(deviations(judge(faulty.Retakes, "legacy")), {"capsule.renamed-legacy": ""})
        outcomes = judge(faulty.Retakes, "capsule-twice")
        self.assertEqual({each["outcome"] for each in outcomes.values()}, {"blocked"})

    def test_other_precision(self):
        rule = "dtype.no-silent-reinterpret"
        for kind, verdict in ((faulty.Rounds, "warn"), (faulty.Cuts, "")):
            outcomes = judge(kind, "versioned", dtype="float64")
            self.assertEqual(deviations(outcomes), {rule: verdict})
            self.assertEqual(outcomes["tensor.element-address"]["outcome"], "blocked")

    def test_who_ignores_strides_breaks_one_rule_in_every_layout(self):
        for layout in ("fortran", "strided", "broadcast", "negative", "negative1", "transposed3"):
            deviation = deviations(judge(faulty.IgnoresStrides, "versioned", layout))
            self.assertEqual(deviation, {"tensor.element-address": "fail"}, layout)
        for layout in ("c", "offset", "extent1", "rank1"):
            self.assertEqual(deviations(judge(faulty.IgnoresStrides, "versioned", layout)), {}, layout)

    def test_elements_that_change_by_themselves_are_no_early_release(self):
        outcomes = judge(faulty.Guesses, "versioned")
        self.assertEqual(deviations(outcomes), {})
        # contents() was never right, so that nobody knows whether the adapter or the library guesses.
        self.assertEqual(outcomes["tensor.element-address"]["outcome"], "unsupported")
        self.assertEqual(outcomes["managed.not-early"]["outcome"], "blocked")
        self.assertEqual(deviations(judge(faulty.ShowsOnce, "versioned")), {})


if __name__ == "__main__":
    unittest.main()
