"""Each fault in the re-export of an import is reported under its rule alone, and its twin is not."""

import unittest

import consumer_test
import testing
from dlspec_worker import main
from dlspec_worker.facts import elements, values
from dlspec_worker.subject.library import Library
from exhibits import consumer_dtypes, doubles
from exhibits import consumer_reexports as faulty
from path_conditions_test import Indexing, Own, Part, Parts

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


class ClosesGaps(Part):
    """A part that is exported as if it had no gaps, and shows the elements rightly."""

    def __dlpack__(self, *, max_version=None, **_):
        shape = self.order.shape
        start = (2 + shape[-1]) * elements.bits_of(self.order.dtype) // 8
        data = self.whole.now()[start : start + len(self.order.bytes)]
        return doubles.native.Offer(self.order.dtype, shape, doubles.row_major(shape), contents=data).capsule()


class PartsOfImports(Parts):
    def __getitem__(self, index):
        part = super().__getitem__(index)
        return part if part is self else ClosesGaps(part.whole, part.order)


class OwnParts(Own):
    def __getitem__(self, index):
        return ClosesGaps(self, values.part(self.order)[1])


class ClosesAllGaps(Indexing):
    def make(self, order):
        return OwnParts(order)


def judge(kind, place, adapter=doubles.Importing):
    return consumer_test.judge(adapter(kind), *place)["outcomes"]


class ConsumerOnward(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for kind, rule, place in TABLE:
            with self.subTest(fault=kind.__name__, place=place):
                outcomes = judge(kind, place)
                wrong = [each for each, answer in outcomes.items() if answer["outcome"] in ("violated", "info")]
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

    def test_lanes_that_are_an_axis_go_out_as_one(self):
        outcomes = judge(consumer_dtypes.LanesAsAxis, ("re-export", "c", "float32x4"))
        self.assertEqual(outcomes["dtype.roundtrip"]["outcome"], "not-applicable", outcomes)

    def test_a_fault_of_every_export_of_parts_is_the_producers(self):
        rule, name = "tensor.byte-offset-roundtrip", "path:struct=legacy+copy=false+after=part"
        for adapter, is_wrong in ((Indexing, True), (ClosesAllGaps, False)):
            library = Library(adapter(PartsOfImports), "/nowhere/double.py")
            answer = main.judge(testing.make_case("consumer", name, "c", "float32"), library, doubles.native)
            self.assertEqual(answer["outcomes"][rule]["outcome"] == "violated", is_wrong, answer)

    def test_every_layout_that_is_exported_again(self):
        for role, variant, layout in testing.variants():
            if (role, variant) == ("consumer", "re-export"):
                outcomes = judge(faulty.Onward, (variant, layout, "float32"))
                self.assertEqual({answer["outcome"] for answer in outcomes.values()}, {"pass"}, (layout, outcomes))


if __name__ == "__main__":
    unittest.main()
