"""Each fault in the re-export of an import is reported under its rule alone, and its twin is not."""

import unittest

import consumer_test
import testing
from exhibits import consumer_reexports as faulty
from exhibits import doubles

# fault, the rule that it violates, where it shows: variant, layout, dtype
TABLE = (
    (faulty.ForgetsOffset, "tensor.byte-offset-roundtrip", ("re-export", "offset", "float32")),
    (faulty.Narrows, "dtype.roundtrip", ("re-export", "c", "float64")),
    (faulty.RoundsEach, "tensor.size-formula", ("size", "rank1", "int4")),
    (faulty.CutsAxes, "tensor.ndim-cap-refused", ("rank=65", "c", "float32")),
    (faulty.CutsAxes, "tensor.ndim-cap-refused", ("rank=129", "c", "float32")),
    (faulty.Picky, "dtype.unsupported-buffererror", ("dtype-refused", "c", "int4")),
)


class OfOneAxis(doubles.Import):
    def check(self, look, capsule):
        if len(look["shape"]) != 1:
            raise NotImplementedError("one axis only")
        super().check(look, capsule)


class ReadsFewAxes(doubles.Importing):
    """Shows eight bytes of what has more than 32 axes, as numpy.asarray(array).tobytes() does."""

    def contents(self, array):
        return bytes(8) if array.look["ndim"] > 32 else super().contents(array)

    def make(self, order):
        raise NotImplementedError("no more axes either")


def judge(kind, place, adapter=doubles.Importing):
    return consumer_test.judge(adapter(kind), *place)["outcomes"]


class ConsumerOnward(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for kind, rule, place in TABLE:
            with self.subTest(fault=kind.__name__, place=place):
                outcomes = judge(kind, place)
                wrong = [each for each, answer in outcomes.items() if answer["outcome"] in ("broken", "info")]
                self.assertEqual(wrong, [rule], outcomes)

    def test_clean_twins(self):
        for place in sorted({place for _, _, place in TABLE}):
            with self.subTest(place=place):
                outcomes = judge(faulty.Onward, place)
                kinds = {answer["outcome"] for answer in outcomes.values()}
                self.assertLessEqual(kinds, {"pass", "not-applicable"}, outcomes)

    def test_the_limit_of_a_reader_is_not_the_librarys(self):
        outcomes = judge(faulty.Onward, ("rank=33", "c", "float32"), ReadsFewAxes)
        self.assertEqual({answer["outcome"] for answer in outcomes.values()}, {"pass"}, outcomes)

    def test_a_refusal_of_every_dtype_is_not_about_the_dtype(self):
        outcomes = judge(OfOneAxis, ("dtype-refused", "c", "int4"))
        self.assertEqual({answer["outcome"] for answer in outcomes.values()}, {"unsupported"}, outcomes)

    def test_every_layout_that_is_exported_again(self):
        for role, variant, layout in testing.variants():
            if (role, variant) == ("consumer", "re-export"):
                outcomes = judge(faulty.Onward, (variant, layout, "float32"))
                self.assertEqual({answer["outcome"] for answer in outcomes.values()}, {"pass"}, (layout, outcomes))


if __name__ == "__main__":
    unittest.main()
