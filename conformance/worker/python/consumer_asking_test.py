"""The conversation: each fault of a consumer is caught under its rule alone in all that consumers are asked."""

import gc
import types
import unittest

import testing
import toys
import toys_asking as faulty
import toys_conversing
from dlspec_worker import main
from dlspec_worker.consumer import failures
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from dlspec_worker.trial.case import order_of

waiting.PATIENCE = 0.1


def judge(kind, variant, layout="c", dtype="float32"):
    library = Library(kind(), "/nowhere/toy.py")
    return main.judge(testing.make_case("consumer", variant, layout, dtype), library, toys.native)["outcomes"]


def _cases():
    """Each variant in one of its layouts, but those of many rounds: the self-test asks them."""
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


def findings(kind):
    """rule -> verdict or "info", over CASES."""
    found = {}
    for variant, layout in CASES:
        for rule, each in judge(kind, variant, layout).items():
            if each["outcome"] == "broken":
                found[rule] = each.get("verdict", "")
            elif each["outcome"] == "info":
                found.setdefault(rule, "info")
    return found


TABLE = (
    (faulty.IgnoresCopy, {"python.copy-forwarded": ""}),
    (faulty.FalseIsNone, {"python.from-dlpack-copy-false-error": ""}),
    (faulty.AsksAgain, {"python.from-dlpack-copy-false-error": ""}),
    (faulty.CopiesAllTheSame, {"python.from-dlpack-copy-false-error": ""}),
    (faulty.OtherError, {"python.from-dlpack-copy-false-error": "warn"}),
    (faulty.DropsCopy, {"python.consumer-retry-not-masking": "fail"}),
    (faulty.MasksTypeError, {"python.consumer-retry-not-masking": ""}),
    (faulty.WrapsBufferError, {"python.from-dlpack-propagates": ""}),
    (toys_conversing.Wraps, {"python.from-dlpack-propagates": ""}),
    (faulty.ForeignKeyword, {"python.consumer-typeerror-retry": ""}),
    (faulty.AsksForTwo, {"python.consumer-max-version-truthful": ""}),
    (faulty.AsksForZero, {"python.consumer-max-version-truthful": ""}),
    (faulty.AsksForMuch, {"python.consumer-max-version-truthful": "info"}),
    (faulty.AsksInAList, {"python.consumer-max-version-truthful": ""}),
    (faulty.DeviceInAList, {"python.dl-device-format": ""}),
    (faulty.ForwardsItsWord, {"python.dl-device-format": ""}),
    (faulty.StreamForTheHost, {"stream.cpu-none": ""}),
    (faulty.BelowTheRange, {"stream.range": ""}),
    (faulty.ZeroForCuda, {"stream.cuda-zero-never-sent": ""}),
    (faulty.OneForRocm, {"stream.rocm-values": ""}),
    (faulty.StreamObject, {"stream.int-type": ""}),
    (faulty.NoStream, {"stream.explicit-default": "info"}),
    (faulty.ToTheHostOnAStream, {"stream.valid-for-target": ""}),
    (faulty.Trusting, {"python.consumer-verifies-version": ""}),
    (faulty.TrustsTheTuple, {"python.consumer-no-reliance-on-device-call": ""}),
    (faulty.Moves, {"python.from-dlpack-same-device": ""}),
    (faulty.ConsumesLater, {"capsule.consumed-immediately": ""}),
    (faulty.HoldsTheCapsule, {"capsule.renamed-legacy": "", "capsule.renamed-versioned": ""}),
    (faulty.MisnamesLegacy, {"capsule.renamed-legacy": ""}),
    (faulty.MisnamesVersioned, {"capsule.renamed-versioned": ""}),
    (faulty.NamesInPassing, {"capsule.names-static": ""}),
    (faulty.CutsTheRank, {"tensor.ndim-cap-refused": "fail"}),
    (faulty.LeaksOddWidths, {"managed.error-releases": ""}),
    (faulty.RenamesLate, {"capsule.rename-before-failure-points": "fail"}),
)

SILENT = (
    toys.Consumer,
    faulty.ToTheHost,
    faulty.ChecksLate,
    faulty.AsksTwice,
    faulty.KeepsBoth,
    faulty.ReleasesElsewhere,
    faulty.CopiesElsewhere,
    faulty.Asking,
    faulty.ForwardsTheDevice,
    faulty.NamesTheDevice,
    faulty.Expecting,
    faulty.KnowsTheTuple,
    toys_conversing.Onward,
)


class ConsumersConversation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        gc.freeze()  # the worker's many collections need not look at the modules

    def test_each_fault_breaks_its_rule_alone(self):
        for fault, expected in TABLE:
            with self.subTest(fault=fault.__name__):
                self.assertEqual(findings(fault), expected)

    def test_the_odd_but_conforming_are_silent(self):
        for kind in SILENT:
            with self.subTest(kind=kind.__name__):
                self.assertEqual(findings(kind), {})

    def test_a_dtype_of_the_library_is_imported(self):
        outcomes = judge(faulty.NoShorts, "standard-dtype", dtype="int16")
        self.assertEqual(outcomes["dtype.array-api-set"]["outcome"], "broken")
        outcomes = judge(faulty.NoShorts, "standard-dtype", dtype="int32")
        self.assertEqual(outcomes["dtype.array-api-set"]["outcome"], "pass")

    def test_what_is_to_be_refused_can_be_offered(self):
        case = testing.make_case("consumer", "refusals")
        for generation in ("legacy", "versioned"):
            for fields in failures.REFUSED:
                trial = types.SimpleNamespace(order=order_of(case["spec"]), native=toys.native)
                source = failures._source(trial, generation, fields)
                source._strict = False
                source.__dlpack__(max_version=(1, 3))
                self.assertEqual(source.handed_out, 1)


if __name__ == "__main__":
    unittest.main()
