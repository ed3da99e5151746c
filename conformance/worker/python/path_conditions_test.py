"""Paths: faults of one condition each that only a wider plan meets, each found and named by its condition."""

import ctypes
import struct
import types
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.facts import values
from dlspec_worker.facts.elements import row_major
from dlspec_worker.subject.library import Library
from exhibits import doubles
from path_cases_test import consumer, judged, producer


class WrongAfterAnotherArray(doubles.Array):
    """Elements are wrong once an array of other extents was exported."""

    shows_exports = False
    latest = None

    def __init__(self, order):
        super().__init__(order)
        WrongAfterAnotherArray.latest = None

    def offer(self, generation, **changes):
        if WrongAfterAnotherArray.latest not in (None, self.order.shape):
            changes["contents"] = self.order.bytes[::-1]
        WrongAfterAnotherArray.latest = self.order.shape
        return super().offer(generation, **changes)


class AnyKeywordWhenCopied(doubles.Array):
    """A copy is made whatever else is asked for."""

    def __dlpack__(self, **keywords):
        if keywords.get("copy"):
            keywords.pop("dlspec_keyword", None)
        return super().__dlpack__(**keywords)


class StridesByShape(doubles.Array):
    """Strides are remembered of each shape of one memory, whichever view asked first."""

    def __init__(self, order, known=None):
        super().__init__(order)
        self.known = {} if known is None else known

    @property
    def T(self):
        strides = self.order.strides or row_major(self.order.shape)
        return StridesByShape(values.order(self.order, strides=strides[::-1]), self.known)

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        rank = len(self.order.shape)
        strides = (ctypes.c_int64 * rank).from_address(doubles.Taken(capsule, rename=False).tensor.strides)
        strides[:] = self.known.setdefault(self.order.shape, list(strides))
        return capsule


class EightSlots(doubles.Array):
    """The ninth export of an array, and later ones, show other elements."""

    shows_exports = False
    made = 0

    def offer(self, generation, **changes):
        self.made += 1
        return super().offer(generation, **changes, **({"contents": self.order.bytes[::-1]} if self.made > 8 else {}))


class WrongWhenLarge(doubles.Array):
    """Copies of more than 1 MiB end with other elements."""

    def of_copies(self):
        whole = self.order.bytes
        return {"contents": whole[:-8] + whole[:8]} if len(whole) > 1 << 20 else {}


class Part:
    """array[1:, 1:] of what holds its elements."""

    def __init__(self, whole, order):
        self.whole, self.order = whole, order

    def now(self):
        return self.order.bytes


class Parts(doubles.Import):
    """Imports that can be indexed, rightly."""

    misplaced = False

    def __getitem__(self, index):
        if index is Ellipsis:
            return self
        dtype = self.look["dtype_name"]
        whole = types.SimpleNamespace(dtype=dtype, shape=self.look["shape"], strides=None, offset=0, bytes=self.now())
        _, order = values.part(whole)
        if self.misplaced and len(whole.shape) == 3:
            order.bytes = whole.bytes[: len(order.bytes)]
        return Part(self, order)


class Misplaced(Parts):
    """Parts of imports of three axes begin where the import does."""

    misplaced = True


class Own:
    """The library's own array, whose parts are right."""

    def __init__(self, order):
        self.order = order

    def __getitem__(self, index):
        return Part(self, values.part(self.order)[1])

    def now(self):
        return self.order.bytes


class Indexing(doubles.Importing):
    def make(self, order):
        return Own(order)


class NullStridesMisread(doubles.Import):
    """NULL strides of int16 are taken for column-major ones."""

    def now(self):
        shown = super().now()
        is_int16 = tuple(self.look["dtype"][:2]) == (0, 16)
        return shown[::-1] if is_int16 and self.look["strides"] is None and len(self.look["shape"]) > 1 else shown


class RemembersTheAddress(doubles.Import):
    """Shows the shape and elements that an earlier tensor had at this address, where it had fewer."""

    seen = {}

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        self.known = self.seen.setdefault(self.place, len(self.bytes))

    def now(self):
        shown = super().now()
        return shown[: self.known] + bytes(max(0, len(shown) - self.known))


class NeedsGradient(doubles.Array):
    """A state in which nothing is exported."""

    def __dlpack__(self, **keywords):
        raise BufferError("detach it first")


class HasStates(doubles.Producer):
    """Arrays in two states, of which one is never exported."""

    def states(self, array):
        return {"plain": doubles.Array(array.order), "gradient": NeedsGradient(array.order)}


class ImportsNarrower(doubles.Producer):
    """Its own imports of float64 are float32: without elements the two look alike."""

    def from_dlpack(self, source):
        narrow = "float32" if source.order.dtype == "float64" else source.order.dtype
        return doubles.Array(values.order(source.order, dtype=narrow))


class Narrows(doubles.Import):
    """Shows float64 as float32."""

    def now(self):
        held = super().now()
        if self.look["dtype_name"] != "float64":
            return held
        numbers = struct.unpack(f"<{len(held) // 8}d", held)
        return struct.pack(f"<{len(numbers)}f", *numbers)


class Conditions(unittest.TestCase):
    def assert_only(self, found, rule, words=""):
        self.assertEqual(list(found), [rule], found)
        self.assertIn(words, found[rule][1])

    def test_an_export_of_another_array(self):
        found = judged(producer(WrongAfterAnotherArray), "producer")
        self.assert_only(found, "tensor.element-address", "before=other-")

    def test_strides_of_a_square_and_its_transpose(self):
        for before in ("export-released", "export-alive", "legacy-alive"):
            case = testing.make_case("producer", f"path:before={before}", "square", "int8")
            found = testing.violations(main.judge(case, producer(StridesByShape), doubles.native))
            self.assertEqual(list(found), ["tensor.row-major-dims"], before)

    def test_more_exports_than_a_table_holds(self):
        self.assertEqual(judged(producer(EightSlots), "producer", having="before=export-alive"), {})
        found = judged(producer(EightSlots), "producer", having="before=many-alive")
        self.assertIn("before=many-alive", found["tensor.element-address"][1])

    def test_other_elements_at_the_same_address(self):
        RemembersTheAddress.seen.clear()
        found = judged(consumer(RemembersTheAddress), "consumer", having="before=same-memory")
        self.assertIn("before=same-memory", found["tensor.element-address"][1])

    def test_a_keyword_that_does_not_exist_beside_copy(self):
        case = testing.make_case("producer", "unknown-keyword", "c", "float32")
        answer = main.judge(case, producer(AnyKeywordWhenCopied), doubles.native)
        shown = answer["outcomes"]["python.unknown-kwarg-typeerror"]
        self.assertEqual((shown["outcome"], "copy=True" in shown["observed"]), ("violated", True), shown)

    def test_an_import_of_another_dtype_is_no_origin(self):
        library = Library(ImportsNarrower(), "/nowhere/double.py")
        self.assertEqual(judged(library, "producer", having="origin=imported"), {})

    def test_a_small_tensor_tells_that_the_dtype_changes(self):
        for variant in ("large", "large=copied"):
            answer = main.judge(
                testing.make_case("consumer", variant, "c", "float64"), consumer(Narrows), doubles.native
            )
            shown = answer["outcomes"]["tensor.element-address"]
            self.assertEqual(shown["outcome"], "blocked", (variant, shown))

    def test_a_state_that_is_never_exported(self):
        library = Library(HasStates(), "/nowhere/double.py")
        self.assertEqual(judged(library, "producer", having="origin=state"), {})

    def test_copies_of_more_than_1_mib(self):
        found = judged(producer(WrongWhenLarge), "producer", having="size=large")
        self.assert_only(found, "python.copy-true", "copy=true and size=large")

    def test_parts_of_imports(self):
        library = Library(Indexing(Parts), "/nowhere/double.py")
        self.assertEqual(judged(library, "consumer", having="after=part"), {})
        library = Library(Indexing(Misplaced), "/nowhere/double.py")
        found = judged(library, "consumer", having="after=part")
        self.assert_only(found, "tensor.element-address", "with after=part")

    def test_null_strides_of_other_dtypes(self):
        found = judged(consumer(NullStridesMisread), "consumer", having="strides=null")
        self.assert_only(found, "tensor.strides-null-means-rowmajor", "strides=null")

    def test_null_strides_that_are_always_misread(self):
        misread = consumer(doubles.Import, "null strides misread")
        names = [each for each in testing.paths() if "strides=null" in each[3]]
        for role, dtype, layout, name in names:
            answer = main.judge(testing.make_case(role, name, layout, dtype), misread, doubles.native)
            shown = answer.get("outcomes", {}).get("tensor.element-address", {}).get("outcome")
            self.assertIn(shown, ("blocked", "unsupported"), (name, answer))


if __name__ == "__main__":
    assert testing
    unittest.main()
