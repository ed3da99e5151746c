"""One deviation, one rule: which is reported when a fault shows in several cases, and odd libraries without a fault."""

import ctypes
import threading
import unittest
from unittest import mock

import consumer_test
import testing
from dlspec_worker import main
from dlspec_worker.facts import dlpack
from dlspec_worker.subject.library import Library
from exhibits import doubles, producer_keywords
from producer_test import judge

NEWEST = dlpack.NEWEST


class WithoutCopyKeyword(doubles.Array):
    """An edition between two; read-only data goes out in a versioned capsule alone."""

    def __dlpack__(self, *, stream=None, max_version=None):
        if self.order.readonly and max_version is None:
            raise BufferError("read-only")
        return super().__dlpack__(stream=stream, max_version=max_version)


class EchoesVersion(doubles.Array):
    def answer(self, max_version, copy):
        if max_version is None:
            return super().answer(max_version, copy)
        return doubles.make_offer(self.order, "versioned", version=max_version).capsule()


class HeldByItsExports(doubles.Array):
    """The export holds a reference to the array, which only the release by a consumer drops."""

    fault = "idle destructor"

    def offer(self, generation, **changes):
        made = super().offer(generation, **changes)
        return _Holding(self, made)


class _Holding:
    """Capsules that count as references to their array until the deleter ran."""

    held = []

    def __init__(self, array, offer):
        self.array, self.made = array, offer

    def __getattr__(self, name):
        return getattr(self.made, name)

    def capsule(self, name=None):
        # Released exports are forgotten when the next one is made.
        gone = self.made.deleter_calls - getattr(self.array, "released", 0)
        for _ in range(gone):
            self.held.remove(self.array)
        self.array.released = self.made.deleter_calls
        self.held.append(self.array)
        return self.made.capsule(name)


class Telling(doubles.Array):
    """What __dlpack_device__ answers is the class's."""

    said = (1, 0)

    def __dlpack_device__(self):
        return self.said

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device == self.said:
            dl_device = None
        return super().__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


def telling(answer):
    return type("Telling", (Telling,), {"said": answer})


def with_fields(**changes):
    return type("WithFields", (doubles.Array,), {"fields": lambda self: changes})


class NamesComeBack(doubles.Consumer):
    """As if into the memory of a name that was freed came the name of a capsule that nobody consumed."""

    def take(self, capsule):
        look = doubles.native.look(capsule)
        made = super().take(capsule)
        if look["manager_ctx"] == 1:
            doubles.Taken.set_name(capsule, {"dltensor": b"dltensor"}.get(look["name"], b"dltensor_versioned"))
        return made


class Attribution(unittest.TestCase):
    def test_a_release_that_follows_from_a_lost_name_is_not_blamed_on_the_context(self):
        library = Library(NamesComeBack(), "/nowhere/double.py")
        library.keeps_names = False
        case = testing.make_case("consumer", "manager_ctx=odd", "c", "float32")
        outcomes = main.judge(case, library, doubles.native)["outcomes"]
        self.assertEqual(outcomes["managed.ctx-opaque"]["outcome"], "blocked", outcomes)

    def check(self, base, variant, expected, layout="c", dtype="float32", fault=""):
        with self.subTest(base=base.__name__, variant=variant, layout=layout):
            answer = judge(doubles.Producer(fault, base), variant, layout, dtype)
            self.assertEqual(testing.violations(answer), expected)
            texts = [each.get("observed", "") for each in answer["outcomes"].values()]
            self.assertFalse([text for text in texts if "worker failed" in text or "not judged" in text])
            return answer["outcomes"]

    def test_structs_that_cannot_be_followed_speak_in_their_own_case(self):
        for changes in ({"version": (0, 0)}, {"version": (2, 0)}, {"null_data": True}):
            base = with_fields(**changes)
            for role, variant, layout in testing.variants():
                ordinary = variant in ("max_version=1.3", "plain", "no-effect", "rank=40")
                ordinary = ordinary or variant.startswith("extreme-values")
                if role == "producer" and layout == "c" and not ordinary and not variant.startswith("onward"):
                    self.check(base, variant, {})
        self.check(with_fields(version=(0, 0)), "max_version=1.3", {"version.filled": "fail"})
        self.check(with_fields(version=(2, 0)), "max_version=1.3", {"version.major-published": "warn"})

    def test_wrong_elements_speak_in_their_own_case(self):
        for variant in ("two-exports", "source-dropped"):
            outcomes = self.check(doubles.Array, variant, {}, fault="wrong bytes")
            self.assertIn("by tensor.element-address", [each.get("observed") for each in outcomes.values()])

    def test_the_form_of_the_device(self):
        wrong = {"python.device-tuple": ""}
        for answer in ((1, None), ("cpu", 0), (None, 0), (1.0, 0), (1, 0, 0), (1, "0")):
            self.check(telling(answer), "device", wrong)
            self.check(telling(answer), "dl_device=own", {})
        self.check(
            type("NoMethod", (doubles.Array,), {"__dlpack_device__": (1, 0)}), "device", {"python.methods-present": ""}
        )

    def test_a_device_that_the_capsule_does_not_name(self):
        self.check(telling((3, 0)), "device", {"python.device-tuple-matches-capsule": "warn"})
        self.check(telling((2, 0)), "device", {"python.device-tuple-matches-capsule": ""})
        for answer in ((3, 0), (2, 0)):
            self.check(telling(answer), "dl_device=own", {})
        self.check(with_fields(device=(0, 0)), "device", {})
        self.check(with_fields(device=(0x5A01, 0)), "device", {})

    def test_an_exporter_without_legacy_capsules(self):
        rule = "python.max-version-none-legacy"
        self.check(producer_keywords.WithoutLegacy, "max_version=none", {rule: "warn"})
        self.check(producer_keywords.WithoutLegacy, "plain", {rule: "warn"})
        self.check(producer_keywords.WithoutLegacy, "dl_device=own", {})

    def test_an_exporter_between_two_editions(self):
        for layout in ("c", "readonly"):
            for variant in ("copy=true", "copy=false", "copy=none"):
                self.check(WithoutCopyKeyword, variant, {}, layout)

    def test_copies_that_nobody_asked_for(self):
        for layout in ("c", "readonly"):
            self.check(producer_keywords.CopiesUnasked, "copy=false", {}, layout)
            self.check(producer_keywords.CopiesUnasked, "copy=true", {}, layout)

    def test_the_future_gets_the_newest(self):
        rule = {"python.max-version-higher-ok": ""}
        self.check(producer_keywords.LegacyForFuture, "max_version=2.0", rule)
        self.check(EchoesVersion, "max_version=2.0", rule)
        self.check(with_fields(version=(1, 0)), "max_version=2.0", {})

    def test_one_export_dies_while_another_is_judged(self):
        self.check(doubles.Array, "plain", {}, fault="destructor clears memory")
        self.check(doubles.Array, "two-exports", {"managed.exports-independent": ""}, fault="destructor clears memory")

    def test_who_leaks_an_unconsumed_export(self):
        rule = {"capsule.destructor-present": ""}
        self.check(HeldByItsExports, "unconsumed", rule, fault="idle destructor")
        self.check(HeldByItsExports, "unconsumed", rule, fault="no destructor")
        self.check(doubles.Array, "unconsumed", {"managed.owner-balanced": ""}, fault="references kept")

    def test_a_late_release_is_a_release(self):
        with mock.patch("dlspec_worker.trial.waiting.PATIENCE", 2.0):
            self.check(Late, "consumed", {})

    def test_a_rank_that_nobody_reads(self):
        self.check(HugeRank, "max_version=1.3", {"tensor.shape-truthful": "fail"})

    def test_narrow_elements_one_to_a_byte(self):
        self.check(OneToAByte, "max_version=1.3", {"flags.padded-set-when-padded": ""}, dtype="int4")


class HugeRank(doubles.Array):
    def fields(self):
        return {"ndim": 100}


class OneToAByte(doubles.Array):
    """Keeps each four-bit element in a byte of its own, and forgets to say so."""

    def answer(self, max_version, copy):
        packed = self.order.bytes
        apart = bytes(packed[place // 2] >> (place % 2 * 4) & 15 for place in range(2 * len(packed)))
        self.parts = getattr(self, "parts", []) + [ctypes.create_string_buffer(apart)]
        capsule = super().answer(max_version, copy)
        taken = doubles.Taken(capsule, rename=False)
        place = taken.address + (32 if taken.versioned else 0)
        ctypes.c_void_p.from_address(place).value = ctypes.addressof(self.parts[-1])
        return capsule


class WrongEverywhere(doubles.Import):
    def read(self, look, capsule):
        return super().read(look, capsule)[::-1]


class CopiesAndLeaves(doubles.Import):
    """Reads the elements out, and leaves the capsule to its destructor."""

    def __init__(self, capsule, fault):
        self.fault = fault
        self.look = look = doubles.native.look(capsule)
        self.check_name(look, capsule)
        self.check(look, capsule)
        self.bytes = self.read(look, capsule)


class KeepsName(doubles.Import):
    """Takes the tensor over, but leaves the capsule's name, so that both release it."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, "not renamed")
        self.fault = ""

    def now(self):
        return ctypes.string_at(self.place, len(self.bytes))


class UnitOnly(doubles.Import):
    """Wants a stride of 1 where it has no meaning."""

    def check(self, look, capsule):
        if any(extent == 1 and stride != 1 for extent, stride in zip(look["shape"], look["strides"] or ())):
            raise BufferError("an odd stride")
        super().check(look, capsule)


class Importing(doubles.Consumer):
    """Imports by a class of its own."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def take(self, capsule):
        return self.kind(capsule, "")


class ConsumersAttribution(unittest.TestCase):
    def judge(self, kind, variant, layout="c"):
        return consumer_test.judge(Importing(kind), variant, layout)["outcomes"]

    def test_wrong_elements_are_not_the_odd_fields_fault(self):
        for variant in ("minor=99", "null-deleter", "strides-null=1.0", "strides-null=legacy"):
            with self.subTest(variant=variant):
                outcomes = self.judge(WrongEverywhere, variant)
                for rule in ("managed.deleter-once", "capsule.renamed-versioned", "capsule.renamed-legacy"):
                    outcomes.pop(rule, None)  # it takes and releases as it should
                self.assertEqual({each["outcome"] for each in outcomes.values()}, {"blocked"})

    def test_a_capsule_that_keeps_its_name_releases_too(self):
        for generation in ("versioned", "legacy"):
            outcomes = self.judge(KeepsName, generation)
            violated = [rule for rule, each in outcomes.items() if each["outcome"] == "violated"]
            self.assertEqual(violated, [f"capsule.renamed-{generation}"])

    def test_strides_without_meaning(self):
        outcomes = self.judge(UnitOnly, "versioned", "extent1")
        self.assertEqual(outcomes["tensor.strides-extent1-ignored"]["outcome"], "violated")

    def test_a_capsule_that_was_only_read(self):
        outcomes = self.judge(CopiesAndLeaves, "capsule-twice")
        self.assertEqual(outcomes["capsule.single-consumption"]["outcome"], "blocked")


class Late(doubles.Array):
    """Gives a reference to the array back a while after the release."""

    def answer(self, max_version, copy):
        threading.Timer(0.4, [self].clear).start()
        return super().answer(max_version, copy)


if __name__ == "__main__":
    unittest.main()
