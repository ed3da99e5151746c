"""Structs that no producer may make, and legal values at the ends of their ranges: each fault under its rule alone."""

import unittest

import consumer_test
import testing
from exhibits import consumer_hostile as faulty
from exhibits import doubles

# fault, the rule that it violates, its variant, the status
TABLE = (
    (faulty.TakesNull, "tensor.data-nonnull-nonempty", "hostile=null-data", "info"),
    (faulty.TakesNull, "tensor.data-nonnull-nonempty", "hostile=null-data-offset", "info"),
    (faulty.HoldsNull, "tensor.data-nonnull-nonempty", "hostile=null-data", "info"),
    (faulty.TakesNegativeExtents, "tensor.extent-nonnegative", "hostile=negative-extent", "info"),
    (faulty.TakesNegativeExtents, "tensor.extent-nonnegative", "hostile=negative-extents", "info"),
    (faulty.TakesNegativeExtents, "tensor.extent-nonnegative", "hostile=extent-min", "info"),
    (faulty.WrapsCounts, "tensor.numel-no-overflow", "hostile=count-wraps-to-0", "info"),
    (faulty.WrapsCounts, "tensor.numel-no-overflow", "hostile=count-wraps-to-4", "info"),
    (faulty.WrapsCounts, "tensor.numel-no-overflow", "hostile=count-wraps-upwards", "info"),
    (faulty.WrapsCounts, "tensor.numel-no-overflow", "hostile=size-wraps-to-0", "info"),
    (faulty.WrapsCounts, "tensor.numel-no-overflow", "hostile=size-negative", "info"),
    (faulty.WrapsStrides, "tensor.strides-no-overflow", "hostile=stride-wraps-to-0", "info"),
    (faulty.WrapsStrides, "tensor.strides-no-overflow", "hostile=stride-min", "info"),
    (faulty.WrapsStrides, "tensor.strides-no-overflow", "hostile=strides-wrap", "info"),
    (faulty.WrapsStrides, "tensor.strides-no-overflow", "hostile=offset-max", "info"),
    (faulty.WrapsStrides, "tensor.strides-no-overflow", "hostile=offset-wraps", "info"),
    (faulty.TakesNegativeRanks, "tensor.ndim-nonnegative", "hostile=rank-minus-1", "info"),
    (faulty.TakesNegativeRanks, "tensor.ndim-nonnegative", "hostile=rank-min", "info"),
    (faulty.TakesElementsOfNoBits, "version.unknown-values-rejected", "hostile=bits-0", "info"),
    (faulty.TakesElementsOfNoLanes, "version.unknown-values-rejected", "hostile=lanes-0", "info"),
    (faulty.AlignsTables, "abi.shape-int64", "hostile=shape-misaligned", "info"),
    (faulty.AlignsTables, "abi.shape-int64", "hostile=strides-misaligned", "info"),
    (faulty.OneHost, "tensor.element-address", "hostile=device-id-7", "info"),
    (faulty.KeepsWhatIsNegative, "managed.error-releases", "hostile=negative-extent", "fail"),
    (faulty.ForgetsOtherHosts, "managed.deleter-once", "hostile=device-id-7", "fail"),
    (faulty.CopiesAreWritable, "flags.read-only-respected", "flags=together", "warn"),
    (faulty.BareOffsetIgnored, "tensor.byte-offset-honoured", "byte_offset=null-strides", "fail"),
    (faulty.LanesOfAByte, "abi.dtype-4-bytes", "lanes=257", "fail"),
    (faulty.DevicesOfAByte, "abi.device-type-32bit", "unknown-devices", "fail"),
    (faulty.SignedMinor, "version.minor-mismatch-usable", "minor=4294967295", "warn"),
    (faulty.TurnsAxes, "tensor.row-major-dims", "shape", "fail"),
)


def judge(kind, variant, layout="c"):
    return consumer_test.judge(doubles.Importing(kind), variant, layout)["outcomes"]


def found(outcomes):
    """rule -> status of everything that is reported."""
    return {
        rule: str(testing.verdict(rule, answer))
        for rule, answer in outcomes.items()
        if answer["outcome"] in ("violated", "info")
    }


class Hostile(unittest.TestCase):
    def test_each_fault_is_reported_under_its_rule(self):
        for kind, rule, variant, status in TABLE:
            with self.subTest(fault=kind.__name__, variant=variant):
                self.assertEqual(found(judge(kind, variant)), {rule: status})

    def test_every_struct_has_a_fault_or_kills(self):
        lethal = {"null-shape", "rank-max", "device-id-minus-1"}  # process_faults of the zoo, or refused by the twin
        tried = {variant.partition("=")[2] for _, _, variant, _ in TABLE if variant.startswith("hostile=")}
        self.assertEqual(tried | lethal, set(doubles.native.hostile_structs()))

    def test_the_clean_twin_refuses_all_or_shows_the_elements(self):
        for kind in (faulty.Credulous, faulty.Hesitant, faulty.Reckless):
            for name in doubles.native.hostile_structs():
                with self.subTest(twin=kind.__name__, struct=name):
                    outcomes = judge(kind, f"hostile={name}")
                    kinds = {answer["outcome"] for answer in outcomes.values()}
                    self.assertLessEqual(kinds, {"pass", "not-applicable"}, outcomes)

    def test_extents_of_32_bits(self):
        self.assertEqual(
            found(judge(faulty.ExtentsOf32Bits, "extent=4294967299", "empty")), {"abi.shape-int64": "fail"}
        )
        self.assertEqual(found(judge(faulty.Shaped, "extent=4294967299", "empty")), {})

    def test_a_signed_major_version(self):
        outcomes = consumer_test.judge(faulty.SignedMajor(), "major=4294967295")["outcomes"]
        self.assertEqual(found(outcomes), {"version.major-mismatch-release": "fail"})


if __name__ == "__main__":
    unittest.main()
