"""Imports that are exported again are judged as exports; refused exports are looked through for what they keep."""

import unittest

import producer_test
import testing
from exhibits import doubles, producer_odd_arrays
from exhibits import producer_onward as faulty

# library, the rule that it violates, variant, layout
TABLE = (
    (faulty.PassingUnkept, "managed.borrow", "onward", "c"),
    (faulty.PassingUnkept, "managed.borrow", "onward", "negative"),
    (faulty.PassingUnkeptOfLegacy, "managed.borrow", "onward", "c"),
    (faulty.PassingUnkeptInViews, "managed.borrow", "onward-view", "strided"),
    (faulty.PassingNeverLetGo, "managed.owner-balanced", "onward", "empty"),
    (faulty.PassingForgetsReadOnly, "flags.read-only-propagated", "onward", "readonly"),
    (faulty.PassingShifted, "tensor.element-address", "onward", "scalar"),
)


def found(answer):
    outcomes = answer["outcomes"]
    return [rule for rule, each in outcomes.items() if each["outcome"] in ("violated", "info")]


class Onward(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for library, rule, variant, layout in TABLE:
            with self.subTest(library=library.__name__, variant=variant, layout=layout):
                answer = producer_test.judge(library(), variant, layout)
                self.assertEqual(found(answer), [rule], answer)

    def test_a_fault_of_views_alone_is_none_of_imports(self):
        self.assertEqual(found(producer_test.judge(faulty.PassingUnkeptInViews(), "onward")), [])

    def test_the_clean_twin_in_every_layout(self):
        for role, variant, layout in testing.variants():
            if role == "producer" and variant.startswith("onward"):
                with self.subTest(variant=variant, layout=layout):
                    outcomes = producer_test.judge(faulty.Passing(), variant, layout)["outcomes"]
                    kinds = {each["outcome"] for each in outcomes.values()}
                    self.assertLessEqual(kinds, {"pass", "not-applicable"}, outcomes)

    def test_an_import_through_the_legacy_struct_never_saw_the_flag(self):
        class AsksForNoVersion(faulty.PassingForgetsReadOnly):
            def from_dlpack(self, source, **keywords):
                return self.take(source.__dlpack__())

        for variant in ("onward", "onward-view"):
            self.assertEqual(found(producer_test.judge(AsksForNoVersion(), variant, "readonly")), [])
            self.assertEqual(found(producer_test.judge(AsksForNoVersion(), variant)), [])

    def test_who_imports_or_exports_nothing_is_not_judged(self):
        for library in (doubles.Producer(), doubles.Library()):
            self.assertIn("unsupported", producer_test.judge(library, "onward"))


class Refusals(unittest.TestCase):
    def test_a_kept_array_is_seen(self):
        for layout in ("c", "readonly"):
            kept = producer_test.judge(doubles.Producer(base=faulty.KeepsTheRefused), "refusals-kept", layout)
            self.assertEqual(found(kept), ["managed.owner-balanced"], layout)
            self.assertEqual(found(producer_test.judge(doubles.Producer(), "refusals-kept", layout)), [], layout)

    def test_memory_that_a_refusal_keeps_is_seen(self):
        library = doubles.Producer(base=producer_odd_arrays.KeptWhenRefused)
        self.assertEqual(found(producer_test.judge(library, "refusals-kept", "readonly")), ["managed.owner-balanced"])

    def test_what_only_the_first_thousand_leave_is_no_leak(self):
        """OpenCL's threads under dpnp leave memory during one measurement, and none during the next."""
        left = []

        class LeavesSome(doubles.Array):
            has_left = False

            def __dlpack__(self, **keywords):
                if keywords.get("dl_device") == (99, 0) and not self.has_left and len(left) < 1000:
                    self.has_left = True
                    left.append(bytearray(64))
                return super().__dlpack__(**keywords)

        self.assertEqual(found(producer_test.judge(doubles.Producer(base=LeavesSome), "refusals-kept", "c")), [])
        self.assertEqual(len(left), 1000)

    def test_later_minors(self):
        library = doubles.Producer(base=faulty.RefusesLaterMinors)
        self.assertEqual(found(producer_test.judge(library, "max_version=1.99")), ["python.max-version-higher-ok"])
        for variant in ("max_version=0.0", "max_version=2.0", "max_version=100.3"):
            self.assertEqual(found(producer_test.judge(library, variant)), [], variant)


if __name__ == "__main__":
    unittest.main()
