"""Faults that guard pages, counts of what is left, threads and the end of the process show, and subjects without."""

import signal
import subprocess
import sys
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.observing import leaks
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles
from exhibits import process_faults as odd

waiting.PATIENCE = 0.1
leaks.WARM_UP, leaks.BATCH = 50, 200
doubles.native.set_quarantine(64)


def zoo_adapter(kind, fault):
    return doubles.Importing(kind, fault) if issubclass(kind, doubles.Import) else kind(fault)


def judge(adapter, role, variant, layout="c"):
    library = Library(adapter, "/nowhere/double.py")
    return main.judge(testing.make_case(role, variant, layout), library, doubles.native)["outcomes"]


def said(outcomes):
    return {rule: each["outcome"] for rule, each in outcomes.items() if each["outcome"] in ("violated", "info")}


def violated(outcomes):
    return {rule: testing.verdict(rule, each) for rule, each in outcomes.items() if each["outcome"] == "violated"}


class Deaths(unittest.TestCase):
    """What the extension says before the worker dies; an empty fault is the clean twin."""

    def fate(self, adapter, variant, layout="c"):
        return testing.fate(lambda: judge(adapter, "consumer", variant, layout), doubles.native)

    def check(self, kind, fault, variant, expected, layout="c"):
        with self.subTest(fault=fault, variant=variant, layout=layout):
            number, told = self.fate(zoo_adapter(kind, fault), variant, layout)
            self.assertEqual(number, signal.SIGSEGV)
            told.pop("pid")
            self.assertEqual({name: told[name] for name in expected}, expected)
            self.assertEqual(self.fate(zoo_adapter(kind, ""), variant, layout), (0, None))

    def test_a_step_beside_the_tensor(self):
        for layout in ("c", "rank1", "negative1"):
            step = {"access": "read", "part": "data", "where": "beyond", "state": "open"}
            if layout != "negative1":
                step["distance"] = 1
                self.check(odd.Straying, "one byte beyond", "guards", step, layout)
        before = {"access": "read", "part": "data", "where": "before", "distance": 1}
        self.check(odd.Straying, "one byte before", "guards", before)
        self.check(odd.Straying, "one extent beyond", "guards", {"part": "shape", "where": "beyond", "distance": 1})

    def test_a_touch_after_the_release(self):
        for fault, part in (("data read late", "data"), ("shape read late", "shape"), ("struct read late", "struct")):
            self.check(odd.TouchesAfterRelease, fault, "release", {"access": "read", "part": part, "state": "closed"})

    def test_a_write_to_read_only_data(self):
        for variant in ("read-only", "versioned"):
            written = {"access": "write", "part": "data", "state": "read-only", "where": "inside"}
            self.check(doubles.Consumer, "scribbles", variant, written, "readonly")

    def test_who_writes_when_told_to_lives(self):
        self.assertEqual(self.fate(doubles.Library("writes read-only"), "read-only", "readonly"), (0, None))


class Callbacks(unittest.TestCase):
    def test_what_comes_out_of_a_deleter(self):
        for fault, rule in (("throws", "managed.deleter-nothrow"), ("changes registers", "abi.c-linkage-callbacks")):
            with self.subTest(fault=fault):
                outcomes = judge(doubles.Producer(fault, odd.OddDeleter), "producer", "callback")
                self.assertEqual(violated(outcomes), {rule: ""})
        outcomes = judge(doubles.Producer("", odd.RaisingDeleter), "producer", "callback")
        self.assertEqual(violated(outcomes), {"managed.deleter-nothrow": "warn"})
        self.assertIn("ValueError", outcomes["managed.deleter-nothrow"]["observed"])
        self.assertEqual(said(judge(doubles.Producer("", odd.OddDeleter), "producer", "callback")), {})

    def test_the_deleters_of_other_exports(self):
        def only(condition):
            class Sometimes(doubles.Array):
                def __dlpack__(self, **keywords):
                    capsule = super().__dlpack__(**keywords)
                    return odd.compiled_deleter(capsule, "throws") if condition(keywords) else capsule

            return violated(judge(doubles.Producer("", Sometimes), "producer", "callback"))

        for condition in (
            lambda keywords: keywords.get("max_version") is None,
            lambda keywords: keywords.get("copy") is False,
            lambda keywords: keywords.get("copy") is True,
        ):
            self.assertEqual(only(condition), {"managed.deleter-nothrow": ""})

    def test_the_exception_is_named(self):
        outcomes = judge(doubles.Producer("throws", odd.OddDeleter), "producer", "callback")
        self.assertIn("std::runtime_error", outcomes["managed.deleter-nothrow"]["observed"])


class ByAddress(doubles.Import):
    """Keeps what it has to release by the address of the elements: a second import of them displaces the first's."""

    owners = {}

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        ByAddress.owners[self.place] = self.taken

    def __del__(self):
        owner = ByAddress.owners.pop(getattr(self, "place", None), None)
        if owner:
            owner.release()


class Leaks(unittest.TestCase):
    def check(self, base, variant, expected, fault=""):
        with self.subTest(base=base.__name__, variant=variant, fault=fault):
            outcomes = judge(doubles.Producer(fault, base), "producer", variant)
            self.assertEqual(said(outcomes), expected)
            return outcomes

    def test_what_exports_leave_behind(self):
        frees, owner = "managed.deleter-frees-self", "managed.owner-balanced"
        self.check(odd.OddDeleter, "many-consumed", {frees: "violated"}, "leaves memory")
        outcomes = self.check(odd.LeavesObjects, "many-consumed", {frees: "violated"})
        self.assertIn("Python object", outcomes[frees]["observed"])
        self.check(odd.KeepsUntilItGoes, "many-consumed", {frees: "info"})
        outcomes = self.check(doubles.Array, "many-consumed", {owner: "violated"}, "references kept")
        self.assertEqual(outcomes[frees]["outcome"], "blocked")
        self.check(doubles.Array, "many-consumed", {})

    def test_what_nobody_consumed(self):
        rule = "capsule.destructor-present"
        self.check(doubles.Array, "many-unconsumed", {rule: "violated"}, "destructor leaves memory")
        self.check(doubles.Array, "many-consumed", {}, "destructor leaves memory")
        self.assertEqual(self.check(odd.LeavesObjects, "many-unconsumed", {})[rule]["outcome"], "blocked")

    def test_imports(self):
        for fault, variant, rule in (
            ("imports", "many-imports", "managed.deleter-once"),
            ("refusals", "many-refusals", "managed.error-releases"),
        ):
            self.assertEqual(said(judge(odd.ForgetsSome(fault), "consumer", variant)), {rule: "violated"})
            self.assertEqual(said(judge(odd.ForgetsSome(""), "consumer", variant)), {})

    def test_two_imports_of_one_array(self):
        once = {"managed.deleter-once": "violated"}
        outcomes = judge(doubles.Importing(ByAddress), "consumer", "many-imports")
        self.assertEqual(said(outcomes), once)
        self.assertIn("alive together: fewer", outcomes["managed.deleter-once"]["observed"])
        self.assertEqual(said(judge(doubles.Importing(ByAddress), "consumer", "versioned")), {})


class Threads(unittest.TestCase):
    def test_consumers(self):
        for kind, fault, variant, rule in (
            (odd.Locked, "around the release", "deleter-meets", "managed.deleter-noop-safe-gil"),
            (odd.LetsOthersIn, "", "race", "capsule.race"),
            (odd.OneShelf, "one shelf", "many-threads", "managed.deleter-once"),
        ):
            with self.subTest(kind=kind.__name__):
                self.assertEqual(said(judge(zoo_adapter(kind, fault), "consumer", variant)), {rule: "violated"})
        for kind, variant in (
            (odd.Locked, "deleter-meets"),
            (doubles.Consumer, "race"),
            (odd.OneShelf, "many-threads"),
        ):
            self.assertEqual(said(judge(zoo_adapter(kind, ""), "consumer", variant)), {})

    def test_who_cannot_even_do_it_alone_is_not_blamed(self):
        for variant in ("many-threads", "race", "deleter-meets"):
            outcomes = judge(doubles.Consumer("never released"), "consumer", variant)
            self.assertEqual({each["outcome"] for each in outcomes.values()}, {"blocked"})


class AtTheEnd(unittest.TestCase):
    """In a worker of its own, because the interpreter ends."""

    def end(self, fault):
        adapter = f"doubles.Producer({fault!r}, process_faults.OddDeleter)"
        program = (
            "import os, sys, testing, oracle_test\nfrom exhibits import doubles, process_faults\n"
            "doubles.native.channel_open(int(sys.argv[1]))\n"
            f"print(oracle_test.judge({adapter}, 'producer', 'after-finalize'), flush=True)\n"
        )
        ours, theirs = testing.socket.socketpair()
        done = subprocess.run(
            [sys.executable, "-c", program, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=testing.HERE,
            capture_output=True,
            text=True,
            timeout=60,
        )
        theirs.close()
        told = ours.recv(4096).decode()
        ours.close()
        self.assertIn("'pass'", done.stdout, done.stderr)
        return done.returncode, told.count('"entered"'), told.count('"returned"')

    def test_a_deleter_that_needs_the_interpreter_dies_with_it(self):
        status, entered, returned = self.end("needs interpreter")
        self.assertNotEqual(status, 0)
        self.assertEqual((entered, returned), (1, 0))

    def test_a_deleter_that_needs_none_does_its_work(self):
        self.assertEqual(self.end(""), (0, 1, 1))

    def test_a_deleter_made_at_run_time_is_not_tried(self):
        outcomes = judge(doubles.Producer("", odd.RaisingDeleter), "producer", "after-finalize")
        self.assertEqual(outcomes["managed.deleter-after-finalize"]["outcome"], "unsupported")


if __name__ == "__main__":
    unittest.main()
