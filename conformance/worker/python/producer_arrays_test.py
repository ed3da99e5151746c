"""Each fault in a producer's structs, elements and odd arrays is reported under its rule alone, and its twin is not."""

import ctypes
import functools
import mmap
import types
import unittest
from unittest import mock

import testing
from dlspec_worker import main
from dlspec_worker.producer import leaks
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles, producer_elements, producer_odd_arrays
from exhibits import producer_struct_layout as misplaced

waiting.PATIENCE = 0.1
NEWEST = "max_version=1.3"


def judge(adapter, variant, layout="c", dtype="float32"):
    library = Library(adapter, "/nowhere/double.py")
    return main.judge(testing.make_case("producer", variant, layout, dtype), library, doubles.native)["outcomes"]


def found(outcomes):
    return {
        rule: testing.verdict(rule, each) for rule, each in outcomes.items() if each["outcome"] in ("violated", "info")
    }


@functools.cache
def low_page():
    """The address of a page at a small address, where the system has one."""
    place = ctypes.CDLL(None).mmap
    place.restype, place.argtypes = (
        ctypes.c_uint64,
        [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long],
    )
    return place(1 << 28, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)


class PaddedInLowMemory(misplaced.PaddedDtype):
    """The strides, which stand where byte_offset should, are at a small address, as all is under some emulators."""

    def lay_out(self, taken):
        taken.struct.tensor.strides = low_page()
        return super().lay_out(taken)


# fault, the rule that it violates, its verdict where it is not the rule's own, where it shows: (variant, layout, dtype)
TABLE = (
    (misplaced.TensorInside, "capsule.pointer-type", "", [(NEWEST, "c", "float32")]),
    (misplaced.TensorAlone, "capsule.pointer-type", "", [(NEWEST, "c", "float32"), (NEWEST, "fortran", "int16")]),
    (misplaced.BareForLegacy, "capsule.pointer-type", "", [("plain", "c", "float32"), ("plain", "scalar", "float32")]),
    (
        misplaced.WideDtype,
        "abi.dtype-4-bytes",
        "",
        [
            (NEWEST, "c", "float32"),
            ("plain", "strided", "int16"),
            (NEWEST, "scalar", "int16"),
            (NEWEST, "empty", "int16"),
        ],
    ),
    (misplaced.PaddedDtype, "abi.dtype-4-bytes", "", [(NEWEST, "c", "float32"), ("plain", "c", "int16")]),
    (PaddedInLowMemory, "abi.dtype-4-bytes", "", [(NEWEST, "scalar", "float32"), ("plain", "scalar", "int16")]),
    (misplaced.WideRank, "abi.sizes-offsets", "", [(NEWEST, "c", "float32"), ("plain", "c", "float32")]),
    (misplaced.ContextLast, "abi.sizes-offsets", "", [(NEWEST, "c", "float32")]),
    (
        misplaced.NarrowShape,
        "abi.shape-int64",
        "",
        [
            (NEWEST, "c", "float32"),
            ("plain", "rank1", "float32"),
            (NEWEST, "empty", "int16"),
            (NEWEST, "transposed3", "int16"),
        ],
    ),
    (
        misplaced.NarrowStrides,
        "abi.shape-int64",
        "",
        [(NEWEST, "c", "float32"), ("plain", "broadcast", "float32"), (NEWEST, "negative", "int16")],
    ),
    (
        misplaced.OneStrideShort,
        "tensor.strides-length",
        "",
        [(NEWEST, "c", "float32"), ("plain", "c", "int16"), (NEWEST, "transposed3", "int16")],
    ),
    (misplaced.StridesNowhere, "tensor.strides-length", "", [(NEWEST, "c", "float32"), ("plain", "c", "float32")]),
    (misplaced.ShapeNowhere, "tensor.shape-nonnull", "", [(NEWEST, "c", "float32"), ("plain", "c", "float32")]),
    (misplaced.DataNowhere, "device.cpu-dereferenceable", "", [(NEWEST, "c", "float32"), ("plain", "c", "float32")]),
    (
        misplaced.Turned,
        "tensor.row-major-dims",
        "",
        [(NEWEST, "c", "float32"), ("plain", "fortran", "float32"), (NEWEST, "transposed3", "int16")],
    ),
    (
        producer_elements.IgnoresColumns,
        "tensor.row-major-dims",
        "",
        [(NEWEST, "fortran", "float32"), ("plain", "fortran", "int16")],
    ),
    (producer_elements.IgnoresOverlap, "tensor.overlap-read-ok", "fail", [(NEWEST, "overlap", "float32")]),
    (
        producer_elements.IgnoresStrides,
        "tensor.element-address",
        "fail",
        [(NEWEST, "overlap", "float32"), (NEWEST, "strided", "int16")],
    ),
    (
        producer_elements.ForeignOrder,
        "dtype.native-endian",
        "",
        [(NEWEST, "c", "float32"), ("plain", "c", "int16"), (NEWEST, "strided", "complex64")],
    ),
    (
        producer_elements.Planar,
        "dtype.complex-interleaved",
        "",
        [(NEWEST, "c", "complex64"), (NEWEST, "c", "complex128"), (NEWEST, "negative", "complex64")],
    ),
    (
        producer_elements.ImaginaryFirst,
        "dtype.complex-interleaved",
        "",
        [(NEWEST, "c", "complex64"), ("plain", "c", "complex128")],
    ),
    (producer_elements.TrueIsMinusOne, "dtype.bool-bytes-0-1", "", [(NEWEST, "c", "bool"), ("plain", "c", "bool")]),
    (
        producer_elements.HalfComplex,
        "dtype.complex-total-bits",
        "fail",
        [(NEWEST, "c", "complex64"), ("plain", "c", "complex128")],
    ),
    (
        producer_elements.PartsAsLanes,
        "dtype.complex-total-bits",
        "fail",
        [(NEWEST, "c", "complex64"), ("plain", "c", "complex128")],
    ),
    (
        producer_elements.WideBfloat,
        "dtype.bfloat-width",
        "fail",
        [(NEWEST, "c", "bfloat16"), ("plain", "c", "bfloat16")],
    ),
    (producer_elements.HighNibbleFirst, "dtype.subbyte-bit-order", "", [(NEWEST, "c", "int4"), ("plain", "c", "int4")]),
    (producer_elements.SilentlyOneToAByte, "flags.padded-set-when-padded", "", [(NEWEST, "c", "int4")]),
    (producer_elements.OneToAByteForLegacy, "dtype.subbyte-packed-default", "", [("plain", "c", "int4")]),
    (producer_elements.WiderIntegers, "dtype.subbyte-int", "", [(NEWEST, "c", "int4"), ("plain", "c", "int4")]),
    (producer_elements.RoundsDown, "dtype.subbyte-start-on-byte", "", [("sliced", "rank1", "int4")]),
    (producer_elements.HalvesABit, "dtype.subbyte-start-on-byte", "", [("sliced", "rank1", "int2")]),
    (producer_elements.RoundsEach, "tensor.size-formula", "", [("size", "rank1", "int4")]),
    (producer_odd_arrays.DeviceLocks, "python.device-cheap", "fail", [("device", "c", "float32")]),
    (producer_odd_arrays.DeviceKeeps, "python.device-cheap", "fail", [("device", "c", "float32")]),
    (producer_odd_arrays.LastOneOut, "managed.borrow", "fail", [("source-dropped", "c", "float32")]),
    (producer_odd_arrays.AnyHost, "python.dl-device-honoured", "warn", [("dl_device=elsewhere", "c", "float32")]),
    (producer_odd_arrays.NoRocm, "python.dl-device-unsupported", "", [("dl_device=99", "c", "float32")]),
)

ODD = (
    (producer_odd_arrays.ForeignOrderAsItLies, "byte-order", "dtype.native-endian"),
    (producer_odd_arrays.RecordsAsTheyLie, "record-field", "tensor.strides-whole-elements"),
    (producer_odd_arrays.CopiesFieldsUnasked, "record-field", "python.copy-false"),
    (producer_odd_arrays.DatesAsNumbers, "no-dlpack-dtype", "dtype.unsupported-buffererror"),
    (producer_odd_arrays.DatesByTypeError, "no-dlpack-dtype", "dtype.unsupported-buffererror"),
    (producer_odd_arrays.SparseInPart, "sparse", "device.single"),
    (producer_odd_arrays.FirstDevice, "distributed", "device.single"),
)


class ProducerArrays(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for base, rule, verdict, places in TABLE:
            for place in places:
                with self.subTest(fault=base.__name__, place=place):
                    outcomes = judge(doubles.Producer("", base), *place)
                    self.assertEqual(found(outcomes), {rule: verdict})
                    texts = [each.get("observed", "") for each in outcomes.values()]
                    self.assertFalse([text for text in texts if "worker failed" in text or "not judged" in text], texts)

    def test_a_fault_that_is_not_asked_for_blocks(self):
        for base, _, _, _ in TABLE[:13]:
            for variant in ("consumed", "unconsumed", "two-exports", "copy=true", "dl_device=own", "no-effect"):
                with self.subTest(fault=base.__name__, variant=variant):
                    self.assertEqual(found(judge(doubles.Producer("", base), variant)), {})

    def test_clean_twins(self):
        for _, rule, _, places in TABLE:
            for variant, layout, dtype in places:
                with self.subTest(variant=variant, layout=layout, dtype=dtype):
                    outcomes = judge(doubles.Producer("", producer_elements.Packed), variant, layout, dtype)
                    kinds = {each["outcome"] for each in outcomes.values()}
                    self.assertLessEqual(kinds, {"pass", "not-applicable"}, outcomes)
                    if rule in outcomes and rule != "flags.padded-set-when-padded":
                        self.assertEqual(outcomes[rule]["outcome"], "pass", rule)

    def test_odd_arrays(self):
        for kind, variant, rule in ODD:
            with self.subTest(fault=kind.__name__, variant=variant):
                dtype = "int32" if variant in ("byte-order", "record-field") else "float32"
                self.assertEqual(found(judge(kind(), variant, dtype=dtype)), {rule: ""})
                for clean in (producer_odd_arrays.Odd, producer_odd_arrays.Copies):
                    outcome = judge(clean(), variant, dtype=dtype)[rule]["outcome"]
                    self.assertIn(outcome, ("pass", "not-applicable") if rule == "python.copy-false" else ("pass",))

    def test_a_field_that_is_copied_where_a_copy_is_wanted(self):
        self.assertEqual(found(judge(producer_odd_arrays.CopiesFields(), "record-field", dtype="int32")), {})

    def test_who_has_no_odd_arrays_is_not_judged_on_them(self):
        case = testing.make_case("producer", "sparse")
        adapter = doubles.Producer()
        library = Library(adapter, "/nowhere/double.py")
        library.provides.remove("odd")
        self.assertEqual(main.judge(case, library, doubles.native), {"unsupported": "the adapter has no odd()"})

    def test_padded_elements_that_say_so(self):
        for variant in (NEWEST, "plain"):
            self.assertEqual(found(judge(doubles.Producer("", producer_elements.OneToAByte), variant, "c", "int4")), {})

    def test_copies_of_packed_views(self):
        outcomes = judge(doubles.Producer("", producer_elements.CopiesViews), "sliced", "rank1", "int4")
        self.assertEqual(outcomes["dtype.subbyte-start-on-byte"]["outcome"], "pass")

    def test_odd_but_conforming_structs(self):
        for layout in testing.layouts():
            for dtype in ("float32", "int16", "complex64"):
                outcomes = judge(doubles.Producer(), NEWEST, layout, dtype)
                self.assertEqual(found(outcomes), {}, layout)

    def test_a_packed_array_that_nobody_can_slice(self):
        case = testing.make_case("producer", "sliced", "rank1", "int4")
        answer = main.judge(case, Library(doubles.Producer(), "/nowhere/double.py"), doubles.native)
        self.assertIn("cannot be sliced", answer["unsupported"])

    def test_memory_that_grows_once_is_no_growth(self):
        """What other threads allocate from grows when the machine is busy: seen once, 82 bytes for each export."""
        grown = types.SimpleNamespace(words=lambda: "82 bytes", references=0, is_gone=lambda: True)
        measured = leaks._growth_by_threads
        answers = [grown]
        with mock.patch.object(
            leaks, "_growth_by_threads", lambda *arguments: answers.pop() if answers else measured(*arguments)
        ):
            self.assertEqual(found(judge(doubles.Producer("", doubles.Array), "many-consumed=thread")), {})


if __name__ == "__main__":
    unittest.main()
