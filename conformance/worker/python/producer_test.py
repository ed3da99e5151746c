"""A clean producer gives no finding; each fault is caught under the rule that it breaks."""

import unittest

import testing
from dlspec_worker import main
from dlspec_worker.observing import leaks
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles, other_device, producer_keywords

waiting.PATIENCE = 0.1  # the test doubles release at once or never
leaks.WARM_UP, leaks.BATCH = 50, 200
doubles.native.set_quarantine(64)


def judge(adapter, variant, layout="c", dtype="float32", rules=None):
    library = Library(adapter, "/nowhere/double.py")
    case = testing.make_case("producer", variant, layout, dtype, rules)
    return main.judge(case, library, doubles.native)


class Quits(doubles.Array):
    def __dlpack__(self, **keywords):
        raise SystemExit(3)


class NoCapsule(doubles.Array):
    def __dlpack__(self, **keywords):
        return "capsule"


class SwallowsAll(doubles.Array):
    """Takes any keyword, and heeds max_version alone."""

    def __dlpack__(self, **keywords):
        return super().__dlpack__(max_version=keywords.get("max_version"))


class StreamOfCopies(doubles.Array):
    def __dlpack__(self, *, stream=None, copy=None, **keywords):
        return super().__dlpack__(stream=None if copy else stream, copy=copy, **keywords)


class CleanProducer(unittest.TestCase):
    def test_no_variant_finds_a_fault(self):
        for (role, variant, layout), rules in testing.variants().items():
            if role != "producer" or variant.startswith(("sequence=", "onward")):
                continue  # sequence_test.py; producer_onward_test.py, for this double imports nothing
            with self.subTest(variant=variant, layout=layout):
                clean = other_device.DeviceProducer("", other_device.DeviceArray)  # one that has a second device
                answer = judge(clean, variant, layout)
                self.assertEqual(sorted(answer["outcomes"]), sorted(set(rules)))
                fine = {"pass", "not-applicable"}
                if variant == "plain" and layout.startswith("readonly"):
                    fine.add("unsupported")  # a legacy capsule cannot say "read-only"
                wrong = {rule: each for rule, each in answer["outcomes"].items() if each["outcome"] not in fine}
                self.assertEqual(wrong, {})

    def test_every_dtype(self):
        for dtype in ("bool", "int16", "uint64", "float16", "float64", "bfloat16", "complex64", "complex128"):
            with self.subTest(dtype=dtype):
                answer = judge(doubles.Producer(), "max_version=1.3", "negative", dtype)
                self.assertEqual(testing.violations(answer), {})
                self.assertEqual(answer["outcomes"]["tensor.element-address"], {"outcome": "pass"})


class FaultyProducer(unittest.TestCase):
    """(fault, variant, layout) -> the only violation and its verdict; "" is the rule's own."""

    def check(self, fault, variant, rule, verdict="", layout="c", base=doubles.Array, standard="array-api"):
        with self.subTest(fault=fault or base.__name__, variant=variant):
            answer = judge(doubles.Producer(fault, base, standard), variant, layout)
            self.assertEqual(testing.violations(answer), {rule: verdict} if rule else {})
            return answer["outcomes"]

    def test_struct(self):
        newest = "max_version=1.3"
        self.check("wrong bytes", newest, "tensor.element-address", "fail")
        self.check("wrong dtype", newest, "dtype.truthful", "fail")
        self.check("wrong shape", newest, "tensor.shape-truthful", "fail")
        self.check("byte strides", newest, "tensor.strides-unit", "fail")
        self.check("byte strides", "plain", "tensor.strides-unit", "fail")
        self.check("null strides", newest, "tensor.strides-not-null", "fail")
        self.check("null strides", "plain", None)
        self.check("undefined flag", newest, "flags.undefined-bits-zero", "fail")
        self.check("major 0", newest, "version.filled", "fail")
        self.check("empty with data", newest, "tensor.data-null-when-empty", "warn", layout="empty")

    def test_what_a_violation_blocks(self):
        outcomes = self.check("wrong dtype", "max_version=1.3", "dtype.truthful", "fail")
        self.assertEqual(outcomes["tensor.element-address"]["outcome"], "blocked")

    def test_names(self):
        self.check("no dlpack name", "max_version=1.0", "capsule.name-versioned", "fail")
        self.check("no dlpack name", "plain", "capsule.name-legacy", "fail")
        self.check("swapped name", "max_version=1.0", "capsule.name-matches-struct")
        self.check("swapped name", "max_version=none", "capsule.name-matches-struct")
        self.check("", "max_version=1.0", "capsule.name-versioned", "fail", base=NoCapsule)

    def test_max_version(self):
        self.check("versioned for none", "max_version=none", "python.max-version-none-legacy", "warn")
        self.check("versioned for 0.8", "max_version=0.8", "python.max-version-0-legacy-or-buffererror")
        self.check("attribute error for 0.8", "max_version=0.8", "python.max-version-0-legacy-or-buffererror")
        self.check("future refused", "max_version=2.0", "python.max-version-higher-ok")

    def test_device(self):
        self.check("device none", "device", "python.device-tuple")
        self.check("device list", "device", "python.device-tuple")
        self.check("other device", "device", "python.device-tuple-matches-capsule")
        self.check("", "device", "python.methods-present", base=producer_keywords.NoDevice)
        self.check("device enum", "device", "python.device-tuple-int")
        self.check("device changes", "device", "python.device-cheap")

    def test_keywords(self):
        self.check("stream accepted", "stream=1", "stream.cpu-none")
        self.check("stream accepted", "stream=-1", "stream.cpu-none", "warn")
        self.check("", "stream=1", "stream.cpu-none", base=StreamOfCopies)
        self.check("foreign device served", "dl_device=99", "python.dl-device-unsupported")
        self.check("", "unknown-keyword", "python.unknown-kwarg-typeerror", "warn", base=producer_keywords.Swallows)
        self.check("", "unknown-keyword", "python.unknown-kwarg-typeerror", base=SwallowsAll)
        self.check("", "unknown-keyword", "python.unknown-kwarg-typeerror", base=producer_keywords.ValueErrorForKeyword)
        self.check("", "stream=none", "stream.cpu-none", "warn", base=producer_keywords.NoStream)
        self.check("foreign device runtime error", "dl_device=99", "python.dl-device-unsupported")
        for fault in ("own device refused", "own device moved", "own device copied"):
            self.check(fault, "dl_device=own", "python.dl-device-own")

    def test_an_old_edition_is_only_named(self):
        self.check("", "keywords=none", "python.kwargs-2023", "warn", base=producer_keywords.NoKeywords)
        for variant in ("copy=true", "copy=false", "copy=none", "dl_device=own", "dl_device=99", "max_version=2.0"):
            outcomes = self.check("", variant, None, base=producer_keywords.NoKeywords)
            self.assertNotIn("pass", {each["outcome"] for each in outcomes.values()}, variant)
        outcomes = self.check("", "max_version=1.3", None, base=producer_keywords.NoKeywords)
        self.assertEqual(outcomes["tensor.element-address"]["outcome"], "pass")

    def test_who_never_claimed_the_array_api_is_warned(self):
        self.check("device none", "device", "python.device-tuple", "warn", standard="dlpack")
        self.check("copy=True aliases", "copy=true", "python.copy-true", "warn", standard="dlpack")
        self.check("future refused", "max_version=2.0", "python.max-version-higher-ok", standard="dlpack")

    def test_copies(self):
        self.check("copy=True aliases", "copy=true", "python.copy-true")
        # A wrong value is a failure, whatever the library claims.
        self.check("copy differs", "copy=true", "python.copy-true", "fail")
        self.check("copy differs", "copy=true", "python.copy-true", "fail", standard="dlpack")
        self.check("needless copy", "copy=none", "python.copy-none", "warn")
        self.check("copy unflagged", "copy=true", "flags.is-copied-set", "fail")
        self.check("copy read-only", "copy=true", "python.copy-true-mutable", layout="readonly")
        self.check("copy=False copies", "copy=false", "python.copy-false")
        outcomes = self.check("copy refused", "copy=true", None)
        self.assertEqual(outcomes["python.copy-true"]["outcome"], "unsupported")
        self.assertEqual(outcomes["python.copy-true-mutable"]["outcome"], "not-applicable")

    def test_error_of_copy_false(self):
        rules = ["python.copy-false", "python.copy-false-error"]
        answer = judge(doubles.Producer("copy=False runtime error"), "copy=false", rules=rules)
        self.assertEqual(testing.violations(answer), {"python.copy-false-error": "fail"})

    def test_lifetime(self):
        self.check("stored capsule", "two-exports", "capsule.fresh-per-call")
        self.check("no destructor", "unconsumed", "capsule.destructor-present")
        self.check("destructor releases twice", "unconsumed", "capsule.destructor-present")
        self.check("destructor releases used", "consumed", "capsule.destructor-noop-when-used")
        self.check("destructor frees used", "consumed", "capsule.destructor-noop-when-used")
        self.check("destructor clears memory", "source-dropped", None)
        self.check("destructor clears memory", "two-exports", "managed.exports-independent")
        self.check("references lost", "consumed", "managed.owner-balanced")
        self.check("export alters", "no-effect", "python.no-effect-on-source")
        self.check("locked by the export", "no-effect", "python.no-effect-on-source")
        outcomes = self.check("idle destructor", "unconsumed", None)
        self.assertEqual(outcomes["capsule.destructor-present"]["outcome"], "info")
        self.check("references kept", "consumed", "managed.owner-balanced")
        self.check("references kept", "unconsumed", "managed.owner-balanced")

    def test_an_exit_is_an_answer(self):
        answer = judge(doubles.Producer("", Quits), "max_version=1.3")
        self.assertEqual({each["outcome"] for each in answer["outcomes"].values()}, {"unsupported"})
        self.assertIn("SystemExit: 3", answer["outcomes"]["tensor.element-address"]["observed"])


class AdapterFaults(unittest.TestCase):
    def test_other_contents_than_ordered(self):
        adapter = doubles.Producer()
        adapter.contents = lambda array: b"x" + array.order.bytes[1:]
        self.assertIn("spec.bytes", judge(adapter, "plain")["adapter_fault"])

    def test_contents_of_another_type(self):
        adapter = doubles.Producer()
        adapter.contents = lambda array: list(array.order.bytes)
        self.assertIn("bytes", judge(adapter, "plain")["adapter_fault"])

    def test_not_implemented_is_a_reason(self):
        adapter = doubles.Producer()

        def make(order):
            raise NotImplementedError("no such dtype")

        adapter.make = make
        self.assertEqual(judge(adapter, "plain"), {"unsupported": "no such dtype"})


if __name__ == "__main__":
    unittest.main()
