"""A clean consumer gives no finding; each fault is caught under the rule that it breaks."""

import unittest

import testing
from dlspec_worker import main
from dlspec_worker.observing import leaks
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles

waiting.PATIENCE = 0.1  # the test doubles release at once or never
leaks.WARM_UP, leaks.BATCH = 50, 200
doubles.native.set_quarantine(64)


def judge(adapter, variant, layout="c", dtype="float32", rules=None):
    library = Library(adapter, "/nowhere/double.py")
    return main.judge(testing.make_case("consumer", variant, layout, dtype, rules), library, doubles.native)


class CleanConsumer(unittest.TestCase):
    # The test double does not export, has no namespace, no shape and no views, and makes no arrays.
    UNSEEN = {
        "dtype.no-silent-reinterpret",
        "python.from-dlpack-present",
        "flags.read-only-propagated",
        "dtype.fp8-variants-distinct",
        "dtype.complex32-is-fp16-pair",
        "tensor.overlap-write-guard",
        "managed.keep-all-in-slice",
        "managed.no-struct-copy-out",
        "dtype.array-api-set",
        "tensor.byte-offset-roundtrip",
        "dtype.roundtrip",
        "tensor.row-major-dims",
        "abi.shape-int64",
    }

    def test_no_variant_finds_a_fault(self):
        for (role, variant, layout), rules in testing.variants().items():
            if role != "consumer" or variant.startswith("sequence="):  # sequence_test.py
                continue
            with self.subTest(variant=variant, layout=layout):
                # Such values are tried where the reader of an array of the library was seen to show them.
                kind = doubles.Library if variant.startswith("extreme-values") else doubles.Consumer
                answer = judge(kind(), variant, layout)
                self.assertEqual(sorted(answer["outcomes"]), sorted(set(rules)))
                wrong = {
                    rule: each
                    for rule, each in answer["outcomes"].items()
                    if each["outcome"] not in ("pass", "not-applicable") and rule not in self.UNSEEN
                }
                self.assertEqual(wrong, {})

    def test_a_refusal_is_no_fault(self):
        answer = judge(doubles.Consumer("zero strides refused"), "versioned", "broadcast")
        self.assertEqual(testing.violations(answer), {})
        self.assertEqual(answer["outcomes"]["tensor.element-address"]["outcome"], "unsupported")
        self.assertEqual(answer["outcomes"]["managed.error-releases"]["outcome"], "pass")

    def test_who_asks_for_no_version_is_offered_none(self):
        answer = judge(doubles.Consumer("legacy only"), "versioned")
        self.assertEqual({each["outcome"] for each in answer["outcomes"].values()}, {"unsupported", "not-applicable"})
        self.assertEqual(testing.violations(judge(doubles.Consumer("legacy only"), "legacy")), {})


class FaultyConsumer(unittest.TestCase):
    def check(self, fault, variant, expected, layout="c", kind=doubles.Consumer):
        with self.subTest(fault=fault, variant=variant):
            answer = judge(kind(fault), variant, layout)
            self.assertEqual(testing.violations(answer), expected)
            return answer["outcomes"]

    def test_contents(self):
        self.check("byte_offset ignored", "versioned", {"tensor.byte-offset-honoured": "fail"}, "offset")
        self.check("byte_offset ignored", "versioned", {}, "negative")
        misread = {"tensor.strides-null-means-rowmajor": "fail"}
        self.check("null strides misread", "strides-null=1.0", misread)
        self.check("null strides misread", "strides-null=legacy", misread)
        for variant in ("strides-null=1.0", "strides-null=legacy"):
            self.check("null strides of a matrix refused", variant, {"tensor.strides-null-tolerance": ""})
        self.check("null refused", "data-null", {"tensor.data-null-empty-accepted": ""}, "empty")

    def test_releases(self):
        self.check("never released", "versioned", {"managed.deleter-once": ""})
        self.check("leaks when refusing", "unknown-dtype", {"managed.error-releases": ""})
        self.check("released twice", "versioned", {"managed.deleter-once": ""})
        self.check("released twice", "release", {})
        self.check("released by the capsule", "release", {"capsule.no-release-by-consumer-capsule": ""})
        self.check("released by the capsule", "versioned", {})
        self.check("released at once", "versioned", {"managed.not-early": ""})
        self.check("released at once", "drop-source", {})
        self.check("released with the source", "drop-source", {"python.from-dlpack-keepalive": "fail"})
        self.check("not renamed", "versioned", {"capsule.renamed-versioned": ""})
        self.check("not renamed", "legacy", {"capsule.renamed-legacy": ""})
        self.check("versioned destructor cleared", "versioned", {"capsule.renamed-versioned": ""})
        self.check("copied struct released", "release", {"managed.deleter-original-pointer": ""})
        self.check("writes after release", "release", {"managed.no-touch-after-delete": ""})
        self.check("not renamed", "release", {})

    def test_capsules(self):
        self.check("any capsule taken", "wrong-name", {"capsule.name-checked": ""})
        self.check("any capsule taken", "used-capsule", {})
        self.check("used capsule taken", "used-capsule", {"capsule.single-consumption": ""})
        self.check("used capsule taken", "capsule-twice", {"capsule.single-consumption": ""})
        self.check("not renamed", "capsule-twice", {})
        self.check("releases what it refuses", "wrong-name", {"capsule.name-checked": ""})

    def test_versions(self):
        mismatch = "version.major-mismatch-release"
        self.check("any capsule taken", "major=2", {mismatch: "fail"})
        self.check("any capsule taken", "major=0", {mismatch: "warn"})
        self.check("dtype before version", "major=2", {"version.major-checked-first": ""})
        self.check("void taken", "major=2", {"version.major-checked-first": ""})
        self.check("keeps a foreign major", "major=2", {mismatch: ""})
        self.check("minor refused", "minor=99", {"version.minor-mismatch-usable": ""})

    def test_unknown_values(self):
        self.check("any capsule taken", "unknown-dtype", {"version.unknown-values-rejected": ""})
        self.check("any capsule taken", "unknown-device", {"version.unknown-values-rejected": ""})

    def test_meaningless_fields(self):
        self.check("compact only", "versioned", {"tensor.strides-extent1-ignored": ""}, "extent1")
        self.check("null shape refused", "shape-null", {"tensor.shape-null-scalar": ""}, "scalar")
        self.check("null strides refused", "shape-null", {"tensor.strides-null-scalar": ""}, "scalar")

    def test_read_only(self):
        respected = "flags.read-only-respected"
        self.check("read-only refused", "read-only", {respected: ""}, "readonly")
        self.check("writes read-only", "read-only", {respected: ""}, "readonly", doubles.Library)
        outcomes = self.check("writes read-only", "read-only", {}, "readonly")
        self.assertEqual(outcomes[respected]["outcome"], "info")

    def test_import(self):
        self.check("known types only", "any-object", {"python.from-dlpack-any-object": ""}, kind=doubles.Library)
        self.check("copies", "zero-copy", {"tensor.zero-copy": "info"})
        self.check("reinterprets", "versioned", {"dtype.no-silent-reinterpret": ""})
        self.check("copies", "versioned", {})

    def test_retry(self):
        self.check("no retry", "legacy-only", {"python.consumer-typeerror-retry": ""})


if __name__ == "__main__":
    unittest.main()
