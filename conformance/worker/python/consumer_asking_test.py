"""Faults in the dialogue of a consumer with its source: each is reported under its rule, with the verdict of that.

That an exhibit of the zoo breaks no other rule, whatever it is asked, and its twin none, is what the self-test shows.
"""

import gc
import types
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.consumer import failures
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from dlspec_worker.trial.case import order_of
from exhibits import consumer_capsules, consumer_keywords, consumer_objects, consumer_requests, doubles

waiting.PATIENCE = 0.1


def judge(kind, variant, layout="c", dtype="float32"):
    adapter = doubles.Importing(kind) if issubclass(kind, doubles.Import) else kind()
    library = Library(adapter, "/nowhere/double.py")
    return main.judge(testing.make_case("consumer", variant, layout, dtype), library, doubles.native)["outcomes"]


def _cases():
    """Each variant in one of its layouts, except the slow ones of many rounds, which the self-test asks."""
    layouts = {}
    for role, variant, layout in testing.variants():
        if (
            role == "consumer"
            and layouts.get(variant) != "c"
            and not variant.startswith(("many-", "race", "deleter-meets", "guards"))
        ):
            layouts[variant] = layout
    return sorted(layouts.items())


CASES = _cases()


def findings(kind, rules=None):
    """rule -> verdict or "info", over CASES; with `rules`, over those that ask one of them."""
    found = {}
    for variant, layout in CASES:
        if rules and not rules & set(testing.make_case("consumer", variant, layout)["rules"]):
            continue
        for rule, each in judge(kind, variant, layout).items():
            if each["outcome"] == "violated":
                found[rule] = testing.verdict(rule, each)
            elif each["outcome"] == "info":
                found.setdefault(rule, "info")
    return found


TABLE = (
    (consumer_requests.IgnoresCopy, {"python.copy-forwarded": ""}),
    (consumer_requests.FalseIsNone, {"python.from-dlpack-copy-false-error": ""}),
    (consumer_requests.AsksAgain, {"python.from-dlpack-copy-false-error": ""}),
    (consumer_requests.CopiesAllTheSame, {"python.from-dlpack-copy-false-error": ""}),
    (consumer_requests.OtherError, {"python.from-dlpack-copy-false-error": "warn"}),
    (consumer_requests.DropsCopy, {"python.consumer-retry-not-masking": "fail"}),
    (consumer_requests.MasksTypeError, {"python.consumer-retry-not-masking": ""}),
    (consumer_requests.WrapsBufferError, {"python.from-dlpack-propagates": ""}),
    (consumer_keywords.Wraps, {"python.from-dlpack-propagates": ""}),
    (consumer_requests.ForeignKeyword, {"python.consumer-typeerror-retry": ""}),
    (consumer_requests.AsksForTwo, {"python.consumer-max-version-truthful": ""}),
    (consumer_requests.AsksForZero, {"python.consumer-max-version-truthful": ""}),
    (consumer_requests.AsksForMuch, {"python.consumer-max-version-truthful": "info"}),
    (consumer_requests.AsksInAList, {"python.consumer-max-version-truthful": ""}),
    (consumer_requests.DeviceInAList, {"python.dl-device-format": ""}),
    (consumer_requests.StreamForTheHost, {"stream.cpu-none": ""}),
    (consumer_requests.BelowTheRange, {"stream.range": ""}),
    (consumer_requests.ZeroForCuda, {"stream.cuda-zero-never-sent": ""}),
    (consumer_requests.OneForRocm, {"stream.rocm-values": ""}),
    (consumer_requests.StreamObject, {"stream.int-type": ""}),
    (consumer_requests.NoStream, {"stream.explicit-default": "info"}),
    (consumer_requests.ToTheHostOnAStream, {"stream.valid-for-target": ""}),
    (consumer_capsules.Trusting, {"python.consumer-verifies-version": ""}),
    (consumer_capsules.TrustsTheTuple, {"python.consumer-no-reliance-on-device-call": ""}),
    (consumer_capsules.Moves, {"python.from-dlpack-same-device": ""}),
    (consumer_capsules.ConsumesLater, {"capsule.consumed-immediately": ""}),
    (consumer_capsules.HoldsTheCapsule, {"capsule.renamed-legacy": "", "capsule.renamed-versioned": ""}),
    (consumer_capsules.MisnamesLegacy, {"capsule.renamed-legacy": ""}),
    (consumer_capsules.MisnamesVersioned, {"capsule.renamed-versioned": ""}),
    (consumer_capsules.NamesInPassing, {"capsule.names-static": ""}),
    (consumer_capsules.CutsTheRank, {"tensor.ndim-cap-refused": "fail"}),
    (consumer_capsules.LeaksOddWidths, {"managed.error-releases": ""}),
    (consumer_objects.LayoutOfItsTwin, {"tensor.element-address": "fail"}),
    (consumer_objects.ReleasesForeignDevices, {"managed.error-releases": ""}),
    (consumer_capsules.RenamesLate, {"capsule.rename-before-failure-points": "fail"}),
)

# No twins of exhibits.
SILENT = (
    consumer_requests.AsksTwice,
    consumer_requests.KeepsBoth,
    consumer_capsules.ReleasesElsewhere,
    consumer_capsules.CopiesElsewhere,
    consumer_requests.ForwardsTheDevice,
    consumer_capsules.NamesTheDevice,
)


class ConsumersConversation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        gc.freeze()  # frozen modules make the worker's many collections faster

    def test_each_fault_breaks_its_rule(self):
        for fault, expected in TABLE:
            with self.subTest(fault=fault.__name__):
                self.assertEqual(findings(fault, set(expected)), expected)

    def test_a_fault_that_is_no_exhibit_breaks_its_rule_alone(self):
        self.assertEqual(findings(consumer_requests.ForwardsItsWord), {"python.dl-device-format": ""})

    def test_the_odd_but_conforming_are_silent(self):
        for kind in SILENT:
            with self.subTest(kind=kind.__name__):
                self.assertEqual(findings(kind), {})

    def test_a_copy_holds_no_memory_of_its_source(self):
        """The memory of a tensor that was copied and released is no longer what it was."""
        library = Library(doubles.Consumer("copies"), "/nowhere/double.py")
        answer = main.judge(testing.make_case("consumer", "same-memory"), library, doubles.native)
        self.assertEqual(answer["outcomes"]["tensor.element-address"]["outcome"], "pass")

    def test_a_dtype_of_the_library_is_imported(self):
        outcomes = judge(consumer_capsules.NoShorts, "standard-dtype", dtype="int16")
        self.assertEqual(outcomes["dtype.array-api-set"]["outcome"], "violated")
        outcomes = judge(consumer_capsules.NoShorts, "standard-dtype", dtype="int32")
        self.assertEqual(outcomes["dtype.array-api-set"]["outcome"], "pass")

    def test_what_is_to_be_refused_can_be_offered(self):
        case = testing.make_case("consumer", "refusals")
        for generation in ("legacy", "versioned"):
            for fields in failures.REFUSED:
                trial = types.SimpleNamespace(order=order_of(case["spec"]), native=doubles.native, sources={})
                source = failures._source(trial, generation, fields)
                source._strict = False
                source.__dlpack__(max_version=(1, 3))
                self.assertEqual(source.handed_out, 1)


if __name__ == "__main__":
    unittest.main()
