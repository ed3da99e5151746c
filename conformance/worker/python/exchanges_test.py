"""Pairs of test doubles: clean ones exchange everything, and each fault is found under its rule, on the right side."""

import ctypes
import struct
import types
import unittest

import testing
from dlspec_worker import exchanges
from dlspec_worker.subject import own
from dlspec_worker.subject.library import Library
from exhibits import consumer_keywords, doubles, exchange_producers, producer_protocol

OWN = own.library(doubles.native)
doubles.native.set_quarantine(64)


def library(adapter, name):
    made = Library(adapter, "/nowhere/double.py")
    made.name = name
    return made


class LegacyArray:
    """An array of before the keywords."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, stream=None):
        return self.tensor.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


def judge(producer, consumer, variant="plain", layout="c", dtype="float32"):
    sides = [
        each if isinstance(each, Library) else library(each, name)
        for each, name in ((producer, "Giver"), (consumer, "Taker"))
    ]
    return exchanges.judge(testing.make_case("exchange", variant, layout, dtype), sides, doubles.native)


def observed(answer, rule):
    return answer["outcomes"][rule]["observed"]


class CleanPairs(unittest.TestCase):
    def test_everything_passes(self):
        for variant, layout in testing.exchanges():
            for producer in (OWN, doubles.Producer()):
                with self.subTest(variant=variant, layout=layout, producer=type(producer).__name__):
                    answer = judge(producer, OWN, variant, layout)
                    self.assertEqual({each["outcome"] for each in answer["outcomes"].values()}, {"pass"}, answer)

    def test_what_came_is_told(self):
        came = judge(OWN, OWN, layout="strided")["came"]
        self.assertEqual(
            came, {"tensor": "float32 (3,4):(10,2)", "layout": "kept", "memory": "shared", "read_only": ""}
        )
        self.assertEqual(judge(OWN, OWN, layout="readonly")["came"]["read_only"], "kept")
        self.assertEqual(judge(OWN, OWN, layout="empty")["came"]["memory"], "none")

    def test_memory_is_told_by_writing_where_the_import_does_not_export(self):
        self.assertEqual(judge(OWN, doubles.Consumer())["came"]["memory"], "shared")
        self.assertEqual(judge(OWN, doubles.Consumer("copies"))["came"]["memory"], "copied")
        self.assertEqual(judge(OWN, doubles.Consumer("copies"), layout="broadcast")["came"]["memory"], "unknown")

    def test_what_is_not_told_is_unsupported(self):
        answer = judge(OWN, doubles.Consumer())
        self.assertEqual(testing.violations(answer), {})
        self.assertEqual(observed(answer, "dtype.truthful"), "Taker does not tell the dtype of what it imported")
        self.assertEqual(observed(answer, "tensor.shape-truthful"), "Taker does not tell the shape of what it imported")

    def test_a_refusal_ends_the_case(self):
        answer = judge(OWN, doubles.Consumer("zero strides refused"), layout="broadcast")
        self.assertEqual(answer, {"unsupported": "the exchange was refused: BufferError: zero strides refused"})

    def test_a_function_stands_for_the_methods(self):
        class ByFunction:
            def make(self, order):
                return [OWN.make(order)]

            def contents(self, array):
                return array[0].tobytes()

        self.assertEqual(judge(ByFunction(), OWN), {"unsupported": "the arrays of Giver have no __dlpack__"})
        ByFunction.to_dlpack = lambda self, array: array[0].__dlpack__()
        self.assertEqual(testing.violations(judge(ByFunction(), OWN)), {})
        self.assertEqual(judge(ByFunction(), OWN)["came"]["tensor"], "float32 (3,4):(4,1)")


class FaultyPairs(unittest.TestCase):
    def check(self, expected, producer, consumer, variant="plain", layout="c", dtype="float32"):
        answer = judge(producer, consumer, variant, layout, dtype)
        self.assertEqual(testing.violations(answer), expected, answer)
        for each in answer["outcomes"].values():
            self.assertIn(each["outcome"], ("pass", "violated", "blocked", "unsupported"))
        return answer

    def test_consumers_that_read_other_elements(self):
        wrong = {"tensor.element-address": ""}
        answer = self.check(wrong, doubles.Producer(), doubles.Consumer("byte_offset ignored"), layout="offset")
        self.assertIn("Taker shows other elements; the capsule", observed(answer, "tensor.element-address"))
        self.assertIn("the capsule leads to the right ones", observed(answer, "tensor.element-address"))
        self.assertIn("byte_offset 20", observed(answer, "tensor.element-address"))
        self.check(wrong, OWN, doubles.Consumer("negative strides misread"), layout="negative")
        self.check(wrong, OWN, doubles.Consumer("zero strides misread"), layout="broadcast")

    def test_producers_that_hand_over_something_else(self):
        answer = self.check({"tensor.element-address": ""}, doubles.Producer("wrong bytes"), OWN)
        self.assertIn("the capsule of Giver leads to other elements", observed(answer, "tensor.element-address"))
        answer = self.check({"dtype.truthful": "fail"}, doubles.Producer("wrong dtype"), OWN)
        self.assertEqual(observed(answer, "dtype.truthful"), "Giver hands its float32 over as int32")
        answer = self.check({"tensor.shape-truthful": "fail"}, doubles.Producer("wrong shape"), OWN)
        self.assertEqual(observed(answer, "tensor.shape-truthful"), "Giver makes it (4,3)")

    def test_a_bool_that_goes_out_as_a_byte_is_a_warning(self):
        class Bytes(doubles.Array):
            def fields(self):
                return {"dtype": "uint8"}

        self.check({"dtype.truthful": "warn"}, doubles.Producer(base=Bytes), OWN, layout="rank1", dtype="bool")
        self.check({"dtype.truthful": "fail"}, doubles.Producer(base=Bytes), OWN, layout="rank1", dtype="int8")

    def test_numbers_that_are_rounded_are_a_warning(self):
        class Rounded(doubles.Import):
            @property
            def dtype(self):
                return "float32"

            def now(self):
                count = len(self.bytes) // 8
                return struct.pack(f"{count}f", *struct.unpack(f"{count}d", self.bytes))

        self.check(
            {"dtype.no-silent-reinterpret": "warn"}, OWN, doubles.Importing(Rounded), layout="rank1", dtype="float64"
        )

    def test_what_came_in_whole_and_goes_out_as_something_else_is_no_fault_of_the_import(self):
        class Wider(doubles.Import):
            @property
            def dtype(self):
                return "float64"

        self.check({}, OWN, doubles.Importing(Wider), layout="rank1")

    def test_a_dtype_that_the_consumer_loses(self):
        class Reinterpreting(consumer_keywords.Onward):
            kind = consumer_keywords.Reinterpreting

        rule = "dtype.no-silent-reinterpret"
        answer = self.check({rule: "fail"}, OWN, Reinterpreting(), layout="rank1", dtype="int32")
        self.assertEqual(observed(answer, rule), "Taker shows float32")

        # What it says of its own arrays as well says nothing of the import.
        class AsItsOwn(Reinterpreting):
            def make(self, order):
                return self.take(OWN.make(order).__dlpack__(max_version=(1, 3)))

        self.check({}, OWN, AsItsOwn(), layout="rank1", dtype="int32")

    def test_a_shape_that_the_consumer_loses(self):
        class Flat(doubles.Import):
            @property
            def shape(self):
                return (len(self.bytes) // 4,)

        for layout, rule in (("c", "tensor.shape-truthful"), ("scalar", "tensor.ndim0-is-scalar")):
            answer = self.check({rule: "fail"}, OWN, doubles.Importing(Flat), layout=layout)
            self.assertTrue(observed(answer, rule).startswith("Taker makes it ("))

    def test_read_only_memory_that_may_be_written(self):
        answer = self.check(
            {"flags.read-only-respected": ""}, OWN, doubles.Consumer("writes read-only"), layout="readonly"
        )
        self.assertEqual(answer["came"]["read_only"], "lost")

        class Unmarked:
            """Read-only arrays in structs that cannot say so."""

            def make(self, order):
                writable = types.SimpleNamespace(**{**vars(order), "readonly": False})
                return LegacyArray(OWN.make(writable))

            def contents(self, array):
                return array.tensor.tobytes()

        class Writable(doubles.Import):
            def write(self, data):
                ctypes.memmove(self.place, data, len(data))

        answer = self.check(
            {"flags.read-only-legacy-refused": ""}, Unmarked(), doubles.Importing(Writable), layout="readonly"
        )
        self.assertIn("legacy one", observed(answer, "flags.read-only-legacy-refused"))

    def test_who_dies_first(self):
        keepalive, borrow = "python.from-dlpack-keepalive", "managed.borrow"
        self.check(
            {keepalive: "fail"}, doubles.Producer(), doubles.Consumer("released with the source"), "producer-first"
        )
        self.check({borrow: "fail"}, doubles.Producer(base=producer_protocol.MemoryOfTheArray), OWN, "producer-first")
        self.check({borrow: "fail"}, OWN, doubles.Consumer("writes after release"), "consumer-first")

    def test_one_fault_is_told_once(self):
        for variant in ("producer-first", "consumer-first"):
            answer = self.check({}, doubles.Producer(), doubles.Consumer("byte_offset ignored"), variant, "offset")
            self.assertEqual({each["outcome"] for each in answer["outcomes"].values()}, {"blocked"})


class ByTable(unittest.TestCase):
    """Consumers whose arrays publish an exchange table import through it what the producer's table exports."""

    def test_each_layout_is_exchanged_by_the_tables_of_both(self):
        for variant, layout in testing.exchanges():
            if variant == "table":
                with self.subTest(layout=layout):
                    answer = judge(exchange_producers.Tables(), OWN, variant, layout)
                    self.assertEqual(testing.violations(answer), {})
                    self.assertEqual(answer["came"]["by_table"], "both")

    def test_who_has_no_table_is_told(self):
        self.assertEqual(judge(doubles.Producer(), OWN, "table")["came"]["by_table"], "consumer")
        answer = judge(OWN, doubles.Producer(), "table")
        self.assertEqual({each["outcome"] for each in answer["outcomes"].values()}, {"not-applicable"})

    def test_memory_that_is_not_the_array_s_is_a_copy(self):
        self.assertEqual(judge(OWN, OWN, "table")["came"]["memory"], "shared")
        answer = judge(exchange_producers.Tables("other memory"), OWN, "table")
        self.assertEqual(answer["came"]["memory"], "copied")

    def test_the_side_that_is_at_fault_is_named(self):
        answer = judge(doubles.Producer("wrong bytes"), OWN, "table")
        self.assertEqual(list(testing.violations(answer)), ["tensor.element-address"])
        self.assertIn("the capsule of Giver leads to other elements", observed(answer, "tensor.element-address"))

    def test_a_table_without_the_function_blocks_the_exchange(self):
        answer = judge(exchange_producers.Tables("no export"), OWN, "table")
        self.assertEqual(observed(answer, "tensor.element-address"), "by exchange.fn-from-nonnull")


if __name__ == "__main__":
    unittest.main()
