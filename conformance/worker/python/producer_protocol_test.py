"""Each fault in arguments, refusals and releases of a producer is caught under its rule, and its twin is not."""

import contextlib
import ctypes
import io
import unittest
from unittest import mock

import testing
from dlspec_worker import main
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles, producer_keywords
from exhibits import producer_protocol as faulty

waiting.PATIENCE = 0.1


def judge(base, variant, layout="c", dtype="float32"):
    library = Library(doubles.Producer("", base), "/nowhere/double.py")
    return main.judge(testing.make_case("producer", variant, layout, dtype), library, doubles.native)["outcomes"]


# fault, variant, layout, dtype, the rule that it breaks.
TABLE = (
    (faulty.Positional, "positional", "c", "float32", "python.keyword-only"),
    (faulty.BelowRange, "stream=-2", "c", "float32", "stream.range"),
    (faulty.ExplicitNoneMoves, "dl_device=none", "c", "float32", "python.dl-device-none"),
    (faulty.NoEnums, "dl_device=enum", "c", "float32", "python.dl-device-format"),
    (faulty.PinnedIsHost, "dl_device=elsewhere", "c", "float32", "python.dl-device-honoured"),
    (faulty.EverythingBufferError, "dl_device=malformed", "c", "float32", "python.other-errors"),
    (faulty.AnyVersion, "max_version=malformed", "c", "float32", "python.max-version-type"),
    (faulty.NoInt16, "standard-dtype", "c", "int16", "dtype.array-api-set"),
    (faulty.NoHalves, "refusal", "c", "float16", "python.export-buffererror"),
    (faulty.MarksNothing, "read-only-legacy", "readonly", "float32", "flags.read-only-legacy-refused"),
    (faulty.OneThread, "other-thread", "c", "float32", "managed.deleter-any-thread"),
    (faulty.FailingDestructor, "exception-in-flight", "c", "float32", "capsule.destructor-keeps-exception"),
    (faulty.FailingDeleter, "exception-in-flight", "c", "float32", "managed.deleter-no-pyerr"),
    (faulty.NameOfTheArray, "looked-at-later", "c", "float32", "capsule.names-static"),
    (faulty.ShapeOfTheArray, "looked-at-later", "c", "float32", "tensor.metadata-lifetime"),
    (faulty.SharedShape, "changed-later", "c", "float32", "tensor.metadata-constant"),
    (faulty.ShapeFollows, "changed-later", "c", "float32", "tensor.metadata-constant"),
    (faulty.OneCopy, "copy-owned", "c", "float32", "flags.is-copied-exclusive"),
    (faulty.LateCopy, "copy-owned", "c", "float32", "flags.is-copied-exclusive"),
)


QUIET = {"pass", "not-applicable", "unsupported", "blocked"}


class ProducerProtocol(unittest.TestCase):
    def test_each_fault_breaks_its_rule_alone(self):
        for base, variant, layout, dtype, rule in TABLE:
            with self.subTest(fault=base.__name__, variant=variant):
                self.assertEqual(testing.violations(judge(base, variant, layout, dtype)), {rule: ""})

    def test_clean_twins(self):
        for _, variant, layout, dtype, _ in TABLE:
            with self.subTest(variant=variant):
                outcomes = judge(doubles.Array, variant, layout, dtype)
                self.assertEqual({each["outcome"] for each in outcomes.values()}, {"pass"}, outcomes)

    def test_complex_dtypes_are_asked_of_no_exporter_of_2021(self):
        rule = "dtype.array-api-set"
        for refusal in (BufferError, TypeError):
            old = type("Old", (producer_keywords.NoKeywords, NoComplex), {"refusal": refusal})
            self.assertEqual(judge(old, "standard-dtype", "c", "complex64"), {rule: {"outcome": "not-applicable"}})
            self.assertEqual(judge(old, "standard-dtype", "c", "float32"), {rule: {"outcome": "pass"}})
            new = type("New", (NoComplex,), {"refusal": refusal})
            self.assertEqual(testing.violations(judge(new, "standard-dtype", "c", "complex64")), {rule: ""})

    def test_a_dtype_that_goes_out_without_keywords_is_there(self):
        outcomes = judge(faulty.NotYet, "standard-dtype")
        self.assertEqual(outcomes["dtype.array-api-set"]["outcome"], "pass")

    def test_faults_are_told_apart_from_those_of_other_rules(self):
        library = Library(doubles.Producer("stream accepted"), "/nowhere/double.py")
        answer = main.judge(testing.make_case("producer", "stream=-2"), library, doubles.native)
        self.assertEqual(answer["outcomes"]["stream.range"]["outcome"], "blocked")
        library = Library(doubles.Producer("foreign device served"), "/nowhere/double.py")
        answer = main.judge(testing.make_case("producer", "dl_device=elsewhere"), library, doubles.native)
        self.assertEqual(answer["outcomes"]["python.dl-device-honoured"]["outcome"], "blocked")

    def test_no_memory_in_a_legacy_capsule_is_none_that_could_be_written(self):
        class Nothing(faulty.MarksNothing):
            def fields(self):
                return {"null_data": True}

        outcomes = judge(Nothing, "read-only-legacy", "readonly", "float32")
        self.assertEqual(
            outcomes["flags.read-only-legacy-refused"],
            {"outcome": "blocked", "observed": "by tensor.data-nonnull-nonempty"},
        )

    def test_a_function_in_place_of_the_methods(self):
        def outcomes(variant, fault="", layout="c"):
            library = Library(faulty.ByFunction(fault), "/nowhere/double.py")
            answer = main.judge(testing.make_case("producer", variant, layout), library, doubles.native)
            return answer.get("outcomes", {"all": {"outcome": "unsupported"}})

        for role, variant, layout in testing.variants():
            if role == "producer" and variant not in ("device", "read-only-legacy"):
                with self.subTest(variant=variant, layout=layout):
                    found = outcomes(variant, layout=layout)
                    self.assertLessEqual({each["outcome"] for each in found.values()}, QUIET, found)
        self.assertEqual(testing.violations(outcomes("device")), {"python.methods-present": ""})
        self.assertEqual(testing.violations(outcomes("plain", "wrong bytes")), {"tensor.element-address": "fail"})
        for variant, rule in (
            ("plain", "tensor.element-address"),
            ("consumed", "managed.owner-balanced"),
            ("unconsumed", "capsule.destructor-present"),
        ):
            self.assertEqual(outcomes(variant)[rule], {"outcome": "pass"})

    def test_callbacks_of_python_are_no_failure_for_what_no_ctypes_callback_can_do(self):
        library = Library(doubles.Producer(base=PythonCallbacks), "/nowhere/double.py")
        with contextlib.redirect_stderr(io.StringIO()), mock.patch("sys.unraisablehook"):
            answer = main.judge(testing.make_case("producer", "exception-in-flight"), library, doubles.native)
        for rule in ("capsule.destructor-keeps-exception", "managed.deleter-no-pyerr"):
            self.assertEqual(answer["outcomes"][rule]["outcome"], "info", answer)
            self.assertIn("ctypes", answer["outcomes"][rule]["observed"])


class NoComplex(doubles.Array):
    """Refuses to export complex numbers."""

    refusal = BufferError

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        if self.order.dtype.startswith("complex"):
            raise self.refusal("no complex numbers")
        return capsule


class PythonCallbacks(doubles.Array):
    """Deleter and destructor are Python functions behind ctypes, which do what they should but for one thing."""

    kept = []  # the callbacks, of which the struct has the addresses alone

    def callback(self, address):
        """The C function at this address behind a Python one."""
        kind = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
        function = kind(address)
        self.kept.append(kind(lambda argument: function(argument)))
        return self.kept[-1]

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        taken = doubles.Taken(capsule, rename=False)
        place = ctypes.c_void_p.from_address(taken.address + (16 if taken.versioned else 56))
        place.value = ctypes.cast(self.callback(taken.deleter), ctypes.c_void_p).value
        get = ctypes.pythonapi.PyCapsule_GetDestructor
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object]
        doubles.Taken.set_destructor(capsule, self.callback(get(capsule)))
        return capsule


if __name__ == "__main__":
    unittest.main()
