"""Each misreading of the struct is caught under its rule alone; clean twins, and odd but conforming ones, are not."""

import ctypes
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import (
    consumer_dtypes,
    consumer_memory,
    consumer_reexports,
    consumer_structs,
    doubles,
    producer_elements,
)

waiting.PATIENCE = 0.1
CLEAN = doubles.Import


def judge(kind, variant, layout="c", dtype="float32", role="consumer", fault=""):
    library = Library(adapter_of(kind, fault), "/nowhere/double.py")
    return main.judge(testing.make_case(role, variant, layout, dtype), library, doubles.native)["outcomes"]


def violations(outcomes):
    """Violated rules and notes."""
    return testing.violations(outcomes, ("violated", "info"))


def adapter_of(kind, fault):
    if issubclass(kind, doubles.Array):
        return doubles.Producer(fault, kind)
    return doubles.Importing(kind, fault) if issubclass(kind, doubles.Import) else kind(fault)


class TurnsVectors(doubles.Import):
    """Reads a stride of 0 wrongly where there is no other axis."""

    def read(self, look, capsule):
        data = super().read(look, capsule)
        return data[1:] + data[:1] if look["strides"] == (0,) else data


class CopiesFromData(doubles.Import):
    """Reads from `data`, and shows a copy."""

    def read(self, look, capsule):
        return ctypes.string_at(look["data"], len(super().read(look, capsule)))


class NotesStrides(doubles.Import):
    """Notes the strides that it is given."""

    seen = []

    def read(self, look, capsule):
        self.seen.append(look["strides"])
        return super().read(look, capsule)


class TurnsShared(doubles.Import):
    """Reads a negative stride wrongly beside a stride of 0."""

    def read(self, look, capsule):
        data = super().read(look, capsule)
        strides = look["strides"] or (1,)
        return data[::-1] if 0 in strides and min(strides) < 0 else data


class AlignsFar(consumer_memory.AlignsData):
    """Rounds where there is a byte_offset."""

    def rounded(self, look):
        return super().rounded(look) if look["byte_offset"] else self.place


# fault, clean twin, variant, layout, dtype, the rule, its verdict where that is not the rule's own
TABLE = (
    (consumer_dtypes.IgnoresLanes, CLEAN, "lanes", "c", "float32x4", "dtype.lanes-unsupported-rejected", ""),
    (consumer_dtypes.OneByteBooleans, CLEAN, "bool-width", "c", "bool", "dtype.bool-other-bits-rejected", "fail"),
    (consumer_dtypes.NeverPadded, CLEAN, "padded", "c", "int4", "flags.padded-checked", ""),
    (consumer_dtypes.AlwaysPadded, CLEAN, "padded", "c", "float4_e2m1fn", "flags.padded-checked", ""),
    (
        consumer_dtypes.OneFloat8,
        consumer_dtypes.ExportsItsDtype,
        "fp8",
        "c",
        "float8_e4m3fn",
        "dtype.fp8-variants-distinct",
        "",
    ),
    (
        consumer_dtypes.BrainPairs,
        consumer_dtypes.ExportsItsDtype,
        "complex32",
        "c",
        "complex32",
        "dtype.complex32-is-fp16-pair",
        "fail",
    ),
    (
        consumer_dtypes.BrainValues,
        consumer_dtypes.HalfValues,
        "complex32",
        "c",
        "complex32",
        "dtype.complex32-is-fp16-pair",
        "fail",
    ),
    (consumer_memory.ReadsExtensions, CLEAN, "device=extension", "c", "float32", "device.extdev-private", ""),
    (consumer_memory.ReadsHandles, CLEAN, "device=handle", "offset", "float32", "device.opaque-no-arithmetic", ""),
    (
        consumer_memory.AddsToHandles,
        consumer_memory.HoldsHandles,
        "device=handle",
        "offset",
        "float32",
        "device.opaque-no-arithmetic",
        "",
    ),
    (
        consumer_memory.RuntimeErrors,
        doubles.Consumer,
        "device=foreign",
        "c",
        "float32",
        "device.unsupported-buffererror",
        "",
    ),
    (consumer_memory.AlignsData, CLEAN, "misaligned", "c", "float32", "tensor.data-alignment-not-assumed", "fail"),
    (AlignsFar, CLEAN, "misaligned", "c", "float32", "tensor.data-alignment-not-assumed", "fail"),
    (consumer_memory.AlignsPlaces, CLEAN, "misaligned", "c", "float64", "tensor.data-alignment-not-assumed", "fail"),
    (consumer_memory.WholeElements, CLEAN, "byte_offset=odd", "c", "float64", "tensor.byte-offset-unaligned", "fail"),
    (consumer_structs.FillsStrides, CLEAN, "metadata", "c", "float32", "tensor.metadata-not-mutated", ""),
    (consumer_structs.MarksTheStruct, CLEAN, "metadata", "c", "float32", "tensor.metadata-not-mutated", ""),
    (consumer_memory.WritesUnguarded, CLEAN, "overlap-write", "broadcast", "float32", "tensor.overlap-write-guard", ""),
    (consumer_memory.WritesUnguarded, CLEAN, "overlap-write", "overlap", "float32", "tensor.overlap-write-guard", ""),
    (consumer_memory.WritesHalves, CLEAN, "overlap-write", "broadcast", "float32", "tensor.overlap-write-guard", ""),
    (
        consumer_memory.Smears,
        consumer_memory.Sliced,
        "overlap-write",
        "rank1",
        "float32",
        "tensor.overlap-write-guard",
        "",
    ),
    (consumer_memory.SlicedAlone, consumer_memory.Sliced, "views", "c", "float32", "managed.keep-all-in-slice", ""),
    (consumer_structs.NeedsContext, CLEAN, "manager_ctx=null", "c", "float32", "managed.ctx-opaque", ""),
    (consumer_structs.KeepsOrphans, CLEAN, "manager_ctx=null", "c", "float32", "managed.ctx-opaque", ""),
    (consumer_structs.CountsInContext, CLEAN, "manager_ctx=memory", "c", "float32", "managed.ctx-opaque", ""),
    (consumer_structs.WholeFlags, CLEAN, "unknown-flags", "readonly", "float32", "flags.unknown-bits-policy", "fail"),
    (consumer_structs.FlagsAnywhere, CLEAN, "legacy-neighbours", "c", "float32", "version.legacy-has-none", ""),
    (consumer_structs.WritesLegacy, CLEAN, "legacy-writable", "c", "float32", "flags.legacy-writability-unknown", ""),
    (
        consumer_structs.PassesCopyOn,
        consumer_dtypes.ExportsItsDtype,
        "onward-deleter",
        "c",
        "float32",
        "managed.no-struct-copy-out",
        "",
    ),
    (consumer_structs.LegacyOnly, doubles.Consumer, "generations", "c", "float32", "managed.legacy-deprecated", ""),
    (consumer_structs.NeverAsks, doubles.Consumer, "generations", "c", "float32", "managed.legacy-deprecated", "info"),
)

PRODUCERS = (
    (producer_elements.NamesFloat8Wrongly, "fp8", "float8_e4m3fn", "dtype.fp8-variants-distinct"),
    (producer_elements.KeepsBrainPairs, "complex32", "complex32", "dtype.complex32-is-fp16-pair"),
    (producer_elements.NamesPairsWrongly, "complex32", "bcomplex32", "dtype.complex32-is-fp16-pair"),
)


class ConsumersReading(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for fault, _, variant, layout, dtype, rule, verdict in TABLE:
            with self.subTest(fault=fault.__name__, variant=variant):
                self.assertEqual(violations(judge(fault, variant, layout, dtype)), {rule: verdict})

    def test_clean_twins(self):
        for _, clean, variant, layout, dtype, _, _ in TABLE:
            with self.subTest(twin=clean.__name__, variant=variant):
                outcomes = judge(clean, variant, layout, dtype)
                found = {rule: each["outcome"] for rule, each in outcomes.items()}
                found.pop("managed.error-releases", None)  # nothing is refused
                self.assertEqual(set(found.values()), {"pass"}, outcomes)

    def test_a_stride_of_0_alone(self):
        for variant in ("versioned", "legacy"):
            with self.subTest(variant=variant):
                self.assertEqual(
                    violations(judge(TurnsVectors, variant, "broadcast")), {"tensor.strides-zero-ok": "fail"}
                )
                self.assertEqual(violations(judge(CLEAN, variant, "broadcast")), {})

    def test_a_case_of_zero_strides_has_no_negative_ones(self):
        """A library that ends the process at a negative stride dies in the cases of negative strides alone."""
        for variant in ("versioned", "legacy"):
            NotesStrides.seen.clear()
            judge(NotesStrides, variant, "broadcast")
            self.assertTrue(any(0 in strides for strides in NotesStrides.seen if strides))
            self.assertEqual([strides for strides in NotesStrides.seen if strides and min(strides) < 0], [], variant)

    def test_a_stride_of_0_beside_a_negative_one(self):
        for variant in ("versioned", "legacy"):
            with self.subTest(variant=variant):
                rule = "tensor.strides-negative-ok"
                self.assertEqual(violations(judge(TurnsShared, variant, "negative")), {rule: "fail"})
                self.assertEqual(violations(judge(TurnsShared, variant, "broadcast")), {})
                self.assertEqual(violations(judge(CLEAN, variant, "negative")), {})
                misread = judge(doubles.Consumer, variant, "negative", fault="zero strides misread")
                self.assertEqual(violations(misread), {}, "which the case of zero strides reports")

    def test_what_begins_far_behind_data_is_exported_from_its_place(self):
        rule = "tensor.byte-offset-roundtrip"
        for layout in ("c", "strided"):
            with self.subTest(layout=layout):
                self.assertEqual(violations(judge(consumer_reexports.ForgetsOffset, "re-export", layout)), {rule: ""})
                self.assertEqual(violations(judge(consumer_reexports.Onward, "re-export", layout)), {})

    def test_producers(self):
        for fault, variant, dtype, rule in PRODUCERS:
            with self.subTest(variant=variant):
                self.assertEqual(violations(judge(fault, variant, dtype=dtype, role="producer")), {rule: ""})
                clean = judge(doubles.Array, variant, dtype=dtype, role="producer")
                self.assertEqual({each["outcome"] for each in clean.values()}, {"pass"})

    def test_one_misread_dtype_is_reported_once(self):
        for kind, dtype in (
            (consumer_dtypes.IgnoresLanes, "float32x4"),
            (consumer_dtypes.AlwaysPadded, "int4"),
            (consumer_dtypes.OneFloat8, "float8_e4m3fn"),
            (consumer_dtypes.LanesAsAxis, "float32x4"),
        ):
            with self.subTest(kind=kind.__name__):
                self.assertEqual(violations(judge(kind, "versioned", dtype=dtype)), {})
        wrong = judge(producer_elements.NamesFloat8Wrongly, "max_version=1.3", dtype="float8_e4m3fn", role="producer")
        self.assertEqual(violations(wrong), {})

    def test_lanes_may_become_an_axis(self):
        outcomes = judge(consumer_dtypes.LanesAsAxis, "versioned", dtype="float32x4")
        self.assertEqual(outcomes["dtype.no-silent-reinterpret"]["outcome"], "pass")

    def test_who_looks_at_no_device_is_told_so_once(self):
        everything = consumer_memory.ReadsAnything
        self.assertEqual(violations(judge(everything, "unknown-device")), {"version.unknown-values-rejected": ""})
        for variant, layout in (("device=extension", "c"), ("device=handle", "offset"), ("device=foreign", "c")):
            self.assertEqual(violations(judge(everything, variant, layout)), {}, variant)
        self.assertEqual(violations(judge(consumer_memory.ReadsKnownDevices, "device=extension")), {})

    def test_to_hold_is_not_to_read(self):
        holding = consumer_memory.HoldsAnything
        for variant, layout in (("device=extension", "c"), ("device=handle", "offset"), ("device=foreign", "c")):
            self.assertEqual(violations(judge(holding, variant, layout)), {}, variant)

    def test_rounded_places_speak_once(self):
        self.assertEqual(violations(judge(consumer_memory.AlignsPlaces, "byte_offset=odd")), {})
        self.assertEqual(violations(judge(consumer_memory.WholeElements, "misaligned")), {})
        ignored = judge(doubles.Consumer, "byte_offset=odd", fault="byte_offset ignored")
        self.assertEqual(violations(ignored), {})

    def test_a_wrong_copy_of_one_byte_is_no_early_release(self):
        for dtype in ("int8", "uint8", "int16", "float32"):
            outcomes = judge(CopiesFromData, "versioned", "scalar_offset", dtype, fault="copies")
            self.assertEqual(violations(outcomes), {"tensor.byte-offset-honoured": ""}, dtype)

    def test_writes_to_the_struct_are_told_apart_by_their_time(self):
        for kind in (consumer_structs.FillsStrides, consumer_structs.MarksTheStruct):
            self.assertEqual(violations(judge(kind, "release")), {})
        late = {"managed.no-touch-after-delete": ""}
        for offset in (0, 8, 16, 24, 32, 40, 56, 64, 72):
            with self.subTest(offset=offset):
                self.assertEqual(violations(judge(consumer_structs.WritesLate, "release", fault=str(offset))), late)
                self.assertEqual(violations(judge(consumer_structs.WritesLate, "metadata", fault=str(offset))), {})

    def test_a_null_misread_in_legacy_structs_alone(self):
        outcomes = judge(consumer_structs.OlderRules, "strides-null=legacy")
        self.assertEqual(violations(outcomes), {"version.legacy-has-none": "fail"})

    def test_what_cannot_be_seen_is_unsupported(self):
        for variant in ("views", "onward-deleter"):
            outcomes = judge(CLEAN, variant)
            kinds = {each["outcome"] for each in outcomes.values()} - {"not-applicable"}
            self.assertEqual(kinds, {"unsupported"}, variant)
        refusing = type("Refuses", (doubles.Import,), {"__init__": lambda self, capsule, fault: 1 // 0})
        for variant in ("unknown-flags", "legacy-neighbours", "legacy-writable", "generations", "views", "fp8"):
            layout = "readonly" if variant == "unknown-flags" else "c"
            outcomes = judge(refusing, variant, layout, "float8_e4m3fn" if variant == "fp8" else "float32")
            self.assertEqual({each["outcome"] for each in outcomes.values()}, {"unsupported"}, variant)


if __name__ == "__main__":
    unittest.main()
