"""Sequences: dlspec's own library shows nothing, and each fault that depends on the order of steps is found."""

import os
import struct
import sys
import tempfile
import unittest

import testing
from dlspec_worker import known, main
from dlspec_worker.channel import loading
from dlspec_worker.sequence.holders import Array, Root, follow_write
from dlspec_worker.subject import own
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from sequence_testing import TWO_EXPORTS, case_of, judge, native, report

FAKES = os.path.join(testing.HERE, "..", "..", "selfcheck", "fakes", "ordered")
waiting.PATIENCE = 0.1
KEPT = []  # modules whose callbacks capsules may still need

EVERYTHING = (
    "make a0 c float32 library; make a1 strided int16 own; export e0 a0 versioned; export e1 a0 legacy; "
    "export e2 a0 copy; export e3 a0 nocopy; import a2 a0 plain; import a3 a1 plain; write a0 1; write e0 2; "
    "refuse a0 device; refuse a0 stream; refuse a0 keyword; take e1; drop e1; release e1 thread; raise e3; drop a0; "
    "collect; export e4 a2 versioned; drop a2; write e4 3; take e4; release e4 unlocked; drop a1; "
    "export e5 a3 versioned"
)


def fake(name, **functions):
    """The adapter of a fake, with these functions besides."""
    KEPT.append(sys.modules.pop("plain_arrays", None))  # the fakes change members of it
    path = os.path.join(FAKES, name + ".py")
    adapter = loading.load_adapter(path, "dlspec_fake_" + name)
    vars(adapter).update(functions)
    return Library(adapter, path)


def change_and_raise(array, kind):
    array.shape = (1, *array.shape[1:])
    raise RuntimeError(f"no {kind}")


class OwnLibrary(unittest.TestCase):
    def test_every_step_is_carried_out_and_shows_nothing(self):
        told = report(own.library(native), EVERYTHING)
        self.assertEqual(told, {"steps": EVERYTHING.count(";") + 1, "refused": 0})

    def test_the_control_library_shows_nothing(self):
        self.assertNotIn("rule", report(known.library(native, "good"), EVERYTHING))

    def test_rules_that_were_tried_pass(self):
        outcomes = judge(own.library(native), EVERYTHING)["outcomes"]
        for rule in ("managed.exports-independent", "managed.borrow", "python.copy-true", "python.no-effect-on-source"):
            self.assertEqual(outcomes[rule], {"outcome": "pass"}, rule)

    def test_what_lacks_a_predecessor_is_left_out(self):
        self.assertNotIn("rule", report(own.library(native), "export e0 a0 copy; release e0 here; drop a7; write e0 1"))


class Novelty(unittest.TestCase):
    """What a batch of `dlspec fuzz` tells beside findings."""

    def novel(self, library, *sequences):
        with tempfile.NamedTemporaryFile() as page:
            page.write(bytes(4096))
            page.flush()
            told = judge(library, *sequences, journal=page.name)["sequence"]
        self.assertEqual(told["places"], 0)
        return {index: observations for index, observations, covered in told["novel"] if not covered}

    def test_only_what_was_not_shown_before_is_told(self):
        first, second = TWO_EXPORTS + "drop e0", TWO_EXPORTS + "drop e1; write a0 1"
        library = own.library(native)
        told = self.novel(library, first, first, second)
        self.assertEqual(set(told), {0, 2})
        self.assertEqual(len(told[0]), first.count(";") + 1)
        self.assertEqual(len(told[2]), 1)  # one export is dropped like the other
        self.assertEqual(self.novel(library, first, second), {})
        self.assertEqual(self.novel(own.library(native), first, second), {0: told[0], 1: told[2]})

    def test_another_answer_is_another_observation(self):
        legacy = "make a0 readonly float32 library; export e0 a0 legacy"  # refused
        shown = self.novel(own.library(native), legacy)[0]
        other = self.novel(own.library(native), legacy.replace("readonly", "c"))[0]
        self.assertEqual((len(shown), len(other)), (2, 2))
        self.assertFalse(set(shown) & set(other))

    def test_a_run_is_told_nothing(self):
        self.assertEqual(set(report(own.library(native), EVERYTHING)), {"steps", "refused"})


class Faults(unittest.TestCase):
    """Subject, sequence -> rule, and the step that shows it."""

    def check(self, name, sequence, rule, step):
        told = report(fake(name), sequence)
        self.assertEqual((told.get("rule"), told.get("step")), (rule, step), told)
        self.assertNotIn("rule", report(fake("plain"), sequence))

    def test_a_deleter_that_releases_the_newest_export(self):
        self.check("newest_released", TWO_EXPORTS + "drop e0", "managed.exports-independent", 3)

    def test_copies_that_follow_the_source(self):
        steps = "make a0 c float32 library; export e0 a0 versioned; export e1 a0 copy; write a0 1"
        self.check("copies_follow", steps, "python.copy-true", 3)

    def test_metadata_that_a_later_export_overwrites(self):
        steps = "make a0 c float32 library; make a1 fortran int16 library; export e0 a0 versioned; export e1 a1 legacy"
        self.check("metadata_overwritten", steps, "tensor.metadata-constant", 3)

    def test_exports_that_freeze_the_source(self):
        self.check("source_frozen", TWO_EXPORTS + "write a0 1", "python.no-effect-on-source", 3)
        steps = "make a0 c float32 library; export e0 a0 versioned; take e0; release e0 thread; mutate a0 resize"
        self.check("resize_frozen", steps, "python.no-effect-on-source", 4)

    def test_what_is_viewed_of_a_reshaped_array_shares_its_memory(self):
        told = report(fake("reshaped"), TWO_EXPORTS + "mutate a0 reshape; view a1 a0 all; write a1 1")
        self.assertEqual(told, {"steps": 6, "refused": 1})

    def test_what_refused_a_change_may_be_half_changed(self):
        steps = "make a0 c float32 library; mutate a0 resize; collect; export e0 a0 versioned; write a0 1"
        self.assertEqual(report(fake("plain", mutate=change_and_raise), steps), {"steps": 5, "refused": 1})

    def test_callbacks_of_ctypes_cannot_keep_an_exception(self):
        told = report(fake("plain"), TWO_EXPORTS + "take e0; raise e0; raise e1")
        self.assertEqual(told, {"steps": 6, "refused": 0})

    def test_a_finding_names_its_steps(self):
        answer = judge(fake("source_frozen"), "make a0 c float32 library", TWO_EXPORTS + "write a0 1; collect")
        told = answer["outcomes"]["python.no-effect-on-source"]
        self.assertEqual((told["outcome"], told["verdict"]), ("violated", "fail"))
        self.assertTrue(told["observed"].endswith("export e1 a0 versioned; write a0 1)"), told)
        self.assertEqual(answer["sequence"]["index"], 1)
        self.assertEqual(answer["outcomes"]["managed.borrow"]["outcome"], "blocked")

    def test_a_rule_of_another_case_is_not_reported_here(self):
        case = {**case_of(TWO_EXPORTS + "write a0 1"), "rules": ["managed.borrow"]}
        answer = main.judge(case, fake("source_frozen"), native)
        self.assertEqual(answer["outcomes"]["managed.borrow"]["outcome"], "blocked")
        self.assertEqual(answer["sequence"]["rule"], "python.no-effect-on-source")


class AJournal(unittest.TestCase):
    def test_it_names_the_step_under_way(self):
        with tempfile.NamedTemporaryFile() as page:
            page.write(bytes(4096))
            page.flush()
            judge(own.library(native), "collect", "make a0 c float32 library; collect", journal=page.name)
            page.seek(0)
            self.assertEqual(struct.unpack("<qq", page.read(16)), (1, 2))  # the end of the second sequence


class Writes(unittest.TestCase):
    """Who shows a write is seen, not assumed."""

    def setUp(self):
        self.root = Root(None, "c", "float32")
        self.source = Array(self.root, None, (0, 1, 2), [b"a", b"b", b"c"], object())
        self.part = Array(self.root, self.source, (1, 2), [b"b", b"c"], object())

    def write(self, shown_by_part):
        shows = {id(self.source): b"xyz", id(self.part): shown_by_part}
        return follow_write(self.source, [b"x", b"y", b"z"], lambda holder: shows[id(holder)])

    def test_a_view_that_follows(self):
        changed, torn = self.write(b"yz")
        self.assertEqual((changed, torn, self.part.link), ([self.source, self.part], [], True))
        self.assertEqual(self.part.shown, [b"y", b"z"])

    def test_a_view_with_memory_of_its_own(self):
        changed, torn = self.write(b"bc")
        self.assertEqual((changed, torn, self.part.link), ([self.source], [], False))
        self.assertEqual(self.part.shown, [b"b", b"c"])

    def test_a_view_that_shows_neither(self):
        self.assertEqual(self.write(b"yc")[1], [self.part])


if __name__ == "__main__":
    unittest.main()
