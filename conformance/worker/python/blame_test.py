"""Nobody is blamed for what dlspec did not see: a heuristic yields to elements, and a tool is tried before its use."""

import ctypes
import struct
import types
import unittest

import testing
from dlspec_worker import exchanges, main
from dlspec_worker.exports import structs
from dlspec_worker.facts import elements
from dlspec_worker.subject import own
from dlspec_worker.subject.library import Library
from exhibits import doubles


def judge(adapter, role, variant, layout="c", dtype="float32", rules=None):
    case = testing.make_case(role, variant, layout, dtype, rules)
    return main.judge(case, Library(adapter, "/nowhere/double.py"), doubles.native)


def violated(answer):
    return {rule: each["observed"] for rule, each in answer["outcomes"].items() if each["outcome"] == "violated"}


class Spread(doubles.Array):
    """Shows every nth element of a larger array, n being the element size in bytes: nothing forbids such strides."""

    def fields(self):
        size = elements.bits_of(self.order.dtype) // 8
        return {"strides": tuple(size * stride for stride in elements.row_major(self.order.shape)), "byte_offset": 0}


def matrix():
    """An order of 3 x 4 floats."""
    layout = {"shape": (3, 4), "strides": None, "offset": 0, "readonly": False, "device": (1, 0)}
    return types.SimpleNamespace(dtype="float32", bytes=struct.pack("12f", *range(12)), **layout)


class ElementsDecide(unittest.TestCase):
    def test_strides_that_are_multiples(self):
        for variant in ("max_version=1.3", "plain"):
            for layout in ("c", "rank8", "rank1"):
                for dtype in ("float32", "float64", "complex128"):
                    with self.subTest(variant=variant, layout=layout, dtype=dtype):
                        answer = judge(doubles.Producer(base=Spread), "producer", variant, layout, dtype)
                        self.assertEqual(violated(answer), {})

    def test_strides_that_look_like_rubbish(self):
        # (4, 33): the first stride is that of a compact array, the second like a header of a block of the heap.
        offer = doubles.make_offer(matrix(), "versioned", strides=(4, 33))
        capsule = offer.capsule()
        self.assertIsNone(structs.fault_of(matrix(), *doubles.native.locate(capsule)))

    def test_a_shape_that_is_another_and_right(self):
        # Pairs of elements: what stands behind the struct may point to the ordered shape.
        order = matrix()
        offer = doubles.make_offer(order, "legacy", dtype="float32x2", shape=(3, 2), strides=(2, 1))
        capsule = offer.capsule()
        taken = doubles.Taken(capsule, rename=False)
        shape = doubles.keep(struct.pack("2q", *order.shape))
        copy = bytearray(taken.raw() + struct.pack("8Q", *[shape] * 8))
        address = doubles.keep(bytes(copy))
        self.assertIsNone(structs.fault_of(order, "legacy", address))
        struct.pack_into("Q", copy, 0, 0)  # data NULL: nothing tells that the shape is right
        self.assertIsNotNone(structs.fault_of(order, "legacy", doubles.keep(bytes(copy))))

    def test_a_number_behind_the_struct_is_not_the_shape_of_a_vector(self):
        # A view of seven elements has six; what the heap has behind its struct leads to an object with 7 references.
        vector, view = matrix(), matrix()
        vector.shape, vector.bytes = (7,), struct.pack("7f", *range(7))
        view.shape, view.bytes = (6,), vector.bytes[4:]
        capsule = doubles.make_offer(view, "legacy").capsule()
        taken = doubles.Taken(capsule, rename=False)
        references = doubles.keep(struct.pack("q", 7))
        address = doubles.keep(taken.raw() + struct.pack("8Q", *[references] * 8))
        self.assertIsNone(structs.fault_of(vector, "legacy", address))

    def test_zeros_are_no_early_release(self):
        class Zeros(doubles.Import):
            def now(self):
                return bytes(len(self.bytes))

        answer = judge(doubles.Importing(Zeros, "copies"), "consumer", "versioned")
        self.assertNotIn("managed.not-early", violated(answer))

    def test_strides_that_are_rubbish(self):
        capsule = doubles.make_offer(matrix(), "versioned").capsule()
        taken = doubles.Taken(capsule, rename=False)
        taken.tensor.strides = doubles.keep(struct.pack("2q", 4, 33))
        fault = structs.fault_of(matrix(), *doubles.native.locate(capsule))
        self.assertEqual(fault and fault.rule, "tensor.strides-length")


class Exporting(doubles.Import):
    """An import that exports itself again, rightly."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        order = types.SimpleNamespace(strides=None, offset=0, readonly=False, bytes=self.bytes, **self.kind_of())
        return doubles.make_offer(order, "versioned" if max_version else "legacy").capsule()

    def kind_of(self):
        return {"dtype": self.look["dtype_name"], "shape": self.look["shape"]}


class Unpacks(Exporting):
    """The library is right; the way in which its adapter reads elements of four bits is not."""

    def now(self):
        if self.look["dtype_name"] != "float4_e2m1fn":
            return super().now()
        return bytes(half for byte in self.bytes for half in (byte & 15, byte >> 4))


class Misreads(Unpacks):
    """The library shows other elements, and exports them too."""

    def read(self, look, capsule):
        return super().read(look, capsule)[::-1]

    def now(self):
        return self.bytes


class Ordinary(doubles.Importing):
    """Makes arrays of ordinary dtypes alone."""

    def make(self, order):
        if order.dtype == "float4_e2m1fn":
            raise NotImplementedError("no float4")
        return doubles.Array(order)

    def contents(self, array):
        return bytes(array.held) if isinstance(array, doubles.Array) else super().contents(array)


class ReadsOn(Exporting):
    """Its adapter reads on from the first element, whatever the strides."""

    def now(self):
        return ctypes.string_at(self.place, len(self.bytes))


class TakesOn(ReadsOn):
    """The library does so, and exports what it takes the elements for."""

    def read(self, look, capsule):
        return ctypes.string_at(look["data"] + look["byte_offset"], len(super().read(look, capsule)))


class CompactAlone(Ordinary):
    def make(self, order):
        if order.strides is not None:
            raise NotImplementedError("compact arrays alone")
        return super().make(order)


class Reversed(doubles.Import):
    def now(self):
        return self.bytes[::-1]


class ByteSlices(doubles.Import):
    """Its slices are of bytes, whatever the elements are."""

    def __len__(self):
        return len(self.bytes)

    def __getitem__(self, part):
        return bytes(self.bytes[part])

    def __setitem__(self, part, data):
        shown = bytearray(self.bytes)
        shown[part] = data
        ctypes.memmove(self.place, bytes(shown), len(shown))


class SlicesAreTried(unittest.TestCase):
    def test_slices_of_bytes_tell_nothing_of_overlaps(self):
        answer = judge(doubles.Importing(ByteSlices), "consumer", "overlap-write", "rank1")
        told = answer["outcomes"]["tensor.overlap-write-guard"]
        self.assertEqual(told["outcome"], "unsupported", told)


class ReadersAreChecked(unittest.TestCase):
    def outcome(self, kind, dtype="float4_e2m1fn", variant="versioned", rule="tensor.element-address", base=Ordinary):
        return judge(base(kind), "consumer", variant, "c", dtype)["outcomes"][rule]

    def test_a_reader_that_is_wrong_is_not_the_librarys(self):
        for variant in ("versioned", "legacy"):
            outcome = self.outcome(Unpacks, variant=variant)
            self.assertEqual(outcome["outcome"], "unsupported", variant)
            self.assertIn("the import's own export the right elements", outcome["observed"])

    def test_padded_elements(self):
        outcome = self.outcome(Unpacks, variant="padded", rule="flags.padded-checked")
        self.assertNotEqual(outcome["outcome"], "violated")

    def test_a_second_reader_convicts(self):
        self.assertEqual(self.outcome(Misreads)["outcome"], "violated")

    def test_a_reader_that_was_checked_convicts(self):
        self.assertEqual(self.outcome(Misreads, "float32")["outcome"], "violated")
        self.assertEqual(self.outcome(doubles.Import)["outcome"], "pass")

    def test_a_reader_that_ignores_strides(self):
        outcome = self.layout(ReadsOn, "fortran")
        self.assertEqual(outcome["outcome"], "unsupported")
        self.assertIn("strided arrays", outcome["observed"])
        self.assertEqual(self.layout(ReadsOn, "c")["outcome"], "pass")

    def test_a_library_that_ignores_strides(self):
        self.assertEqual(self.layout(TakesOn, "fortran")["outcome"], "violated")

    def test_a_reader_of_the_library(self):
        class OfTheLibrary(CompactAlone):
            reader = "Array.tobytes"

        self.assertEqual(self.layout(ReadsOn, "fortran", OfTheLibrary)["outcome"], "violated")

    def test_a_reader_that_was_right_for_strided_arrays(self):
        self.assertEqual(self.layout(ReadsOn, "fortran", Ordinary)["outcome"], "violated")

    def layout(self, kind, layout, base=None):
        answer = judge((base or CompactAlone)(kind), "consumer", "versioned", layout)
        return answer["outcomes"]["tensor.element-address"]

    def test_exchanges(self):
        sides = [own.library(doubles.native), Library(Ordinary(Unpacks), "/nowhere/double.py")]
        case = testing.make_case("exchange", "plain", "c", "float4_e2m1fn")
        outcome = exchanges.judge(case, sides, doubles.native)["outcomes"]["tensor.element-address"]
        self.assertEqual(outcome["outcome"], "unsupported")
        sides[1] = Library(Ordinary(Misreads), "/nowhere/double.py")
        outcome = exchanges.judge(case, sides, doubles.native)["outcomes"]["tensor.element-address"]
        self.assertEqual(outcome["outcome"], "violated")

    def test_who_makes_one_axis_alone_is_checked_by_it(self):
        class Lists(Ordinary):
            def make(self, order):
                if len(order.shape) != 1:
                    raise NotImplementedError("one axis")
                return super().make(order)

        self.assertEqual(self.outcome(Reversed, "float32", base=Lists)["outcome"], "violated")

    def test_who_makes_nothing_is_checked_by_imports(self):
        self.assertEqual(self.outcome(Misreads, "float32", base=doubles.Importing)["outcome"], "violated")


if __name__ == "__main__":
    unittest.main()
