"""Paths: faults that hide behind a condition are found, and named by the fewest levels that they need."""

import gc
import os
import types
import unittest

import consumer_test
import testing
from dlspec_worker import main
from dlspec_worker.channel import loading
from dlspec_worker.consumer import path_steps
from dlspec_worker.consumer.keywords import Raised, RaisingSource
from dlspec_worker.subject import own
from dlspec_worker.subject.library import Library
from dlspec_worker.trial.case import Trial, order_of
from dlspec_worker.trial.paths import Path
from exhibits import doubles, exchange_producers, producer_keywords, producer_protocol
from exhibits.double_fixtures import set_destructor

native = testing.load_native()
gc.collect()
gc.freeze()  # as a worker does: collections of the cases take a tenth of the time


def producer(base, fault=""):
    return Library(doubles.Producer(fault, base), "/nowhere/double.py")


def consumer(base, fault=""):
    return Library(doubles.Importing(base, fault), "/nowhere/double.py")


def judged(library, role, every=1, trying="", having=""):
    """rule -> (how often, first observation), over the cases of paths that try a stimulus, and that have a level."""
    found = {}
    for each, dtype, layout, name in testing.paths()[::every]:
        if each != role or trying not in ("", testing.stimulus_of(name)) or having not in name:
            continue
        answer = main.judge(testing.make_case(role, name, layout, dtype), library, doubles.native)
        for rule in testing.violations(answer):
            count, text = found.get(rule, (0, answer["outcomes"][rule]["observed"]))
            found[rule] = (count + 1, text)
    return found


class RemembersRefusals(doubles.Array):
    refused = False

    def __dlpack__(self, **keywords):
        try:
            return super().__dlpack__(**keywords)
        except BufferError:
            self.note_refusal()
            raise

    def note_refusal(self):
        self.refused = True


class WrongWhenCopiedAfterARefusal(RemembersRefusals):
    """Copies are wrong once a request was refused."""

    def of_copies(self):
        return {"contents": self.order.bytes[::-1]} if self.refused else {}


class LegacyScalarsForget(doubles.Array):
    """Legacy exports of scalars lose their element."""

    shows_exports = False

    def offer(self, generation, **changes):
        if generation == "legacy" and self.order.shape == ():
            changes["contents"] = bytes(len(self.order.bytes))
        return super().offer(generation, **changes)


class NeverTheSame(RemembersRefusals):
    """Once a request was refused, no array of the library names its device rightly any more."""

    def note_refusal(self):
        NeverTheSame.refused = True

    def said(self):
        return (2, 0) if NeverTheSame.refused else (1, 0)


class FreesLegacy(doubles.Array):
    """The destructors of legacy capsules that were consumed write into the struct."""

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        if not doubles.Taken(capsule, rename=False).versioned:
            set_destructor(capsule, "destructor frees used")
        return capsule


class OtherThroughTheTable(exchange_producers.TableArray):
    """The table's exports show other elements while another export of the array lives."""

    def exported(self):
        if any(offer.live_exports for offer in self.offers.values()):
            return doubles.make_offer(self.order, "versioned", contents=self.order.bytes[::-1]).capsule()
        return super().exported()


class KeepsThroughTheTable(exchange_producers.TableArray):
    """Exports through the table keep scalars forever."""

    def exported(self):
        if self.order.shape == ():
            doubles.KEPT.append(self)
        return super().exported()


class ImportsThroughTheTable(exchange_producers.Tables):
    """A library with one way in for its function and another for its table, which never releases read-only tensors."""

    def __init__(self, kind):
        super().__init__("", kind)

    def from_dlpack(self, source):
        made = TakesThroughTheTable.__new__(TakesThroughTheTable)
        made.offers, made.order, made.lent = {}, None, None
        made.taken = doubles.Import(doubles.Consumer().ask(source), "")
        made.held = bytearray(made.taken.bytes)
        return made


class TakesThroughTheTable(exchange_producers.TableArray):
    @classmethod
    def imported(cls, capsule):
        made = super().imported(capsule)
        if made.taken.read_only:
            made.taken.fault = "never released"
        return made


class ForgetsOffsets(exchange_producers.TableArray):
    """Imports through the table ignore byte_offset."""

    @classmethod
    def imported(cls, capsule):
        made = super().imported(capsule)
        if made.taken.look["byte_offset"]:
            made.taken.live, made.taken.bytes = False, made.taken.bytes[1:] + made.taken.bytes[:1]
        return made


class ListsForInt16(doubles.Array):
    """The device of int16 arrays is a list."""

    def said(self):
        return [1, 0] if self.order.dtype == "int16" else (1, 0)


class Paths(unittest.TestCase):
    def test_conforming_subjects_break_nothing(self):
        self.assertEqual(judged(producer(doubles.Array), "producer", 2), {})
        self.assertEqual(judged(consumer(doubles.Import), "consumer", 2), {})
        for role in ("producer", "consumer"):
            self.assertEqual(judged(own.library(native), role, 3), {})

    def test_two_conditions_are_named(self):
        found = judged(producer(WrongWhenCopiedAfterARefusal), "producer", having="copy=true")
        self.assertEqual(list(found), ["python.copy-true"], found)
        self.assertTrue(found["python.copy-true"][1].startswith("with before=refusal and copy=true: "), found)

    def test_what_a_consumed_capsule_leaves_behind(self):
        found = judged(producer(FreesLegacy), "producer", having="max_version=none")
        self.assertEqual(list(found), ["capsule.destructor-noop-when-used"], found)

    def test_copies_lie_where_the_path_has_them(self):
        case = testing.make_case("consumer", "path:place=guard-in-front+copy=true", "c", "float32")
        trial = types.SimpleNamespace(order=order_of(case["spec"]), native=native, sources={})
        source = path_steps.source(trial, Path.of(types.SimpleNamespace(variant=case["variant"], order=trial.order)))
        made = source.__dlpack__(copy=True, max_version=(1, 3))
        look = native.look(made)
        self.assertEqual((look["data"] % 4096, look["flags"]), (0, 2))

    def test_a_layout_is_a_condition(self):
        found = judged(producer(LegacyScalarsForget), "producer", having="max_version")
        self.assertIn("tensor.element-address", found)
        self.assertIn("max_version=", found["tensor.element-address"][1])
        self.assertIn("of shape ()", found["tensor.element-address"][1])

    def test_a_stimulus_meets_other_arrays(self):
        found = judged(producer(ListsForInt16), "producer", trying="device")
        self.assertEqual(list(found), ["python.device-tuple"], found)
        self.assertTrue(found["python.device-tuple"][1].startswith("with stimulus=device, for int16 of shape"), found)

    def test_what_a_history_changes_for_good_is_not_left_to_the_ordinary_stimulus(self):
        NeverTheSame.refused = False
        found = judged(producer(NeverTheSame), "producer", trying="device")
        self.assertIn("with before=refusal and stimulus=device", found["python.device-tuple-matches-capsule"][1])

    def test_what_every_exchange_shows_is_left_to_ordinary_cases(self):
        for fault in ("wrong bytes", "null strides", "wrong dtype"):
            self.assertEqual(judged(producer(doubles.Array, fault), "producer", 5), {}, fault)
        self.assertEqual(judged(consumer(doubles.Consumer, "byte_offset ignored"), "consumer", 5), {})


class Channel(unittest.TestCase):
    """Exports and imports through an exchange table, on the paths of others."""

    def tables(self, kind):
        return Library(exchange_producers.Tables("", kind), "/nowhere/tables.py")

    def test_a_table_that_keeps_every_rule_breaks_nothing(self):
        self.assertEqual(judged(self.tables(exchange_producers.TableArray), "producer", having="table"), {})

    def test_a_history_of_its_exports_is_named(self):
        found = judged(self.tables(OtherThroughTheTable), "producer", having="channel=table")
        self.assertIn("channel=table", found["tensor.element-address"][1])
        self.assertIn("before=", found["tensor.element-address"][1])

    def test_who_owns_its_exports_is_a_rule_of_tables(self):
        found = judged(self.tables(KeepsThroughTheTable), "producer", having="channel=table")
        self.assertEqual(list(found), ["exchange.from-owning"], found)
        self.assertIn("of shape ()", found["exchange.from-owning"][1])

    def test_a_history_is_no_condition_of_what_a_layout_shows_without_it(self):
        found = judged(self.tables(ForgetsOffsets), "producer", trying="table-import", having="before=export-alive")
        self.assertEqual(list(found), ["tensor.element-address"], found)
        self.assertTrue(found["tensor.element-address"][1].startswith("with stimulus=table-import, for "), found)

    def test_what_becomes_of_its_imports_is_a_rule_of_tables(self):
        library = Library(ImportsThroughTheTable(TakesThroughTheTable), "/nowhere/tables.py")
        found = judged(library, "consumer", having="channel=table")
        self.assertEqual(list(found), ["exchange.to-steals"], found)
        self.assertIn("channel=table", found["exchange.to-steals"][1])


class OneAxis(doubles.Producer):
    def make(self, order):
        if len(order.shape) != 1:
            raise NotImplementedError("arrays of one axis only")
        return super().make(order)


class FollowsItsMethods(producer_protocol.ShapeFollows):
    """The shape cannot be set; what changes it in place shows through the exports."""

    shape = property(lambda self: self.order.shape)

    def transpose(self):
        producer_protocol.ShapeFollows.shape.fset(self, self.shape[::-1])


class InPlace(doubles.Producer):
    def mutate(self, array, kind):
        if kind != "transpose":
            raise NotImplementedError(kind)
        array.transpose()


class OneDeviation(unittest.TestCase):
    """One deviation is one record."""

    def test_the_ordinary_case_is_about_the_nearest_array(self):
        library = Library(OneAxis("", producer_keywords.NoKeywords), "/nowhere/double.py")
        answer = main.judge(testing.make_case("producer", "keywords=none"), library, doubles.native)
        self.assertEqual(testing.violations(answer), {"python.kwargs-2023": "warn"})
        self.assertEqual(judged(library, "producer", trying="keywords=none"), {})

    def test_a_source_that_has_raised_is_not_offered_once_more(self):
        case = testing.make_case("consumer", "source-raises")
        trial = Trial(case, order_of(case["spec"]), consumer(doubles.Consumer), doubles.native)
        trial.sources = {"generation": "legacy"}
        source = RaisingSource(trial, "__dlpack_device__")
        self.assertRaises(TypeError, source.__dlpack__, max_version=(1, 0), copy=None)
        self.assertRaises(Raised, source.__dlpack_device__)
        self.assertFalse(source.relents())

    def test_the_ordinary_case_changes_arrays_as_the_adapter_can(self):
        library = Library(InPlace("", FollowsItsMethods), "/nowhere/double.py")
        answer = main.judge(testing.make_case("producer", "changed-later"), library, doubles.native)
        self.assertEqual(testing.violations(answer), {"tensor.metadata-constant": "fail"})

    def test_callbacks_of_ctypes_may_fail_while_an_exception_is_in_flight(self):
        path = os.path.join(testing.HERE, "..", "..", "selfcheck", "fakes", "ordered", "casts_first.py")
        library = Library(loading.load_adapter(path, "dlspec_fake_casts_first"), path)
        name = "path:before=refusal+release=in-flight"
        answer = main.judge(testing.make_case("producer", name), library, doubles.native)
        self.assertEqual(set(testing.violations(answer)), set())


if __name__ == "__main__":
    assert consumer_test
    unittest.main()
