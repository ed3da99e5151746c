"""Faults that guard pages, counts of what is left, threads and the end of the process show, and subjects without."""

import collections
import queue
import signal
import subprocess
import sys
import threading
import time
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.imports import source
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
    return {rule: each["outcome"] for rule, each in outcomes.items() if each["outcome"] in ("broken", "info")}


def broken(outcomes):
    return {rule: testing.verdict(rule, each) for rule, each in outcomes.items() if each["outcome"] == "broken"}


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
                self.assertEqual(broken(outcomes), {rule: ""})
        outcomes = judge(doubles.Producer("", odd.RaisingDeleter), "producer", "callback")
        self.assertEqual(broken(outcomes), {"managed.deleter-nothrow": "warn"})
        self.assertIn("ValueError", outcomes["managed.deleter-nothrow"]["observed"])
        self.assertEqual(said(judge(doubles.Producer("", odd.OddDeleter), "producer", "callback")), {})

    def test_the_exception_is_named(self):
        outcomes = judge(doubles.Producer("throws", odd.OddDeleter), "producer", "callback")
        self.assertIn("std::runtime_error", outcomes["managed.deleter-nothrow"]["observed"])


class Leaks(unittest.TestCase):
    def check(self, base, variant, expected, fault=""):
        with self.subTest(base=base.__name__, variant=variant, fault=fault):
            outcomes = judge(doubles.Producer(fault, base), "producer", variant)
            self.assertEqual(said(outcomes), expected)
            return outcomes

    def test_what_exports_leave_behind(self):
        frees, owner = "managed.deleter-frees-self", "managed.owner-balanced"
        self.check(odd.OddDeleter, "many-consumed", {frees: "broken"}, "leaves memory")
        outcomes = self.check(odd.LeavesObjects, "many-consumed", {frees: "broken"})
        self.assertIn("Python object", outcomes[frees]["observed"])
        self.check(odd.KeepsUntilItGoes, "many-consumed", {frees: "info"})
        outcomes = self.check(doubles.Array, "many-consumed", {owner: "broken"}, "references kept")
        self.assertEqual(outcomes[frees]["outcome"], "blocked")
        self.check(doubles.Array, "many-consumed", {})

    def test_what_nobody_consumed(self):
        rule = "capsule.destructor-present"
        self.check(doubles.Array, "many-unconsumed", {rule: "broken"}, "destructor leaves memory")
        self.check(doubles.Array, "many-consumed", {}, "destructor leaves memory")
        self.assertEqual(self.check(odd.LeavesObjects, "many-unconsumed", {})[rule]["outcome"], "blocked")

    def test_imports(self):
        for fault, variant, rule in (
            ("imports", "many-imports", "managed.deleter-once"),
            ("refusals", "many-refusals", "managed.error-releases"),
        ):
            self.assertEqual(said(judge(odd.ForgetsSome(fault), "consumer", variant)), {rule: "broken"})
            self.assertEqual(said(judge(odd.ForgetsSome(""), "consumer", variant)), {})

    def test_two_imports_of_one_array(self):
        once = {"managed.deleter-once": "broken"}
        outcomes = judge(doubles.Importing(ByAddress), "consumer", "many-imports")
        self.assertEqual(said(outcomes), once)
        self.assertIn("alive together: fewer", outcomes["managed.deleter-once"]["observed"])
        self.assertEqual(said(judge(doubles.Importing(ByAddress), "consumer", "versioned")), {})


class KeepsLast(doubles.Consumer):
    """Keeps the last arrays that it made, as an interactive shell does."""

    def __init__(self, fault="", count=1):
        super().__init__(fault)
        self.last = collections.deque(maxlen=count)

    def from_dlpack(self, source, copy=None, device=None):
        self.last.append(super().from_dlpack(source, copy, device))
        return self.last[-1]


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


class LaterImport(doubles.Import):
    """Leaves its release to a thread that does one after the other, slowly."""

    waiting = queue.SimpleQueue()

    def __del__(self):
        if hasattr(self, "taken"):
            LaterImport.waiting.put(self.taken)

    @staticmethod
    def work():
        while True:
            taken = LaterImport.waiting.get()
            time.sleep(0.001)
            taken.release()
            del taken


class LaterExport(doubles.Array):
    """What its exports need goes later, one after the other."""

    waiting = queue.SimpleQueue()

    def __dlpack__(self, **keywords):
        LaterExport.waiting.put(self)
        return super().__dlpack__(**keywords)

    @staticmethod
    def work():
        while True:
            LaterExport.waiting.get()
            time.sleep(0.001)


class BatchImport(doubles.Import):
    """Releases when three are waiting for it, all of them."""

    waiting, lock = [], threading.RLock()

    def __del__(self):
        with self.lock:
            self.waiting += [self.taken] if hasattr(self, "taken") else []
            while len(self.waiting) >= 3:
                self.waiting.pop().release()
                self.waiting.pop().release()
                self.waiting.pop().release()


class BatchExport(doubles.Array):
    """What its exports need goes when so many are waiting for it."""

    waiting, most = [], 64

    def __dlpack__(self, **keywords):
        self.waiting.append(self)
        if len(self.waiting) >= self.most:
            self.waiting.clear()
        return super().__dlpack__(**keywords)


class NullDeleter(doubles.Array):
    """Its memory is never given back, and its deleter says so."""

    kept = []

    def fields(self):
        return {**super().fields(), "null_deleter": True}

    def __dlpack__(self, **keywords):
        NullDeleter.kept.append(self)
        return super().__dlpack__(**keywords)


class OneExport(doubles.Array):
    """Has one export at a time."""

    def __dlpack__(self, **keywords):
        if any(offer.live_exports for offer in self.offers.values()):
            raise BufferError("the array is exported already")
        return super().__dlpack__(**keywords)


class Patience(unittest.TestCase):
    """What is late, or kept on purpose, is no fault; it may be said."""

    def check(self, adapter, role, variant, expected):
        with self.subTest(variant=variant):
            self.assertEqual(said(judge(adapter, role, variant)), expected)

    def test_a_consumer_that_keeps_its_last_array(self):
        once = "managed.deleter-once"
        for variant in ("versioned", "legacy"):
            self.check(KeepsLast(), "consumer", variant, {once: "info"})
            self.check(KeepsLast(count=16), "consumer", variant, {once: "info"})
            self.check(KeepsLast("never released"), "consumer", variant, {once: "broken"})
        self.check(KeepsLast(), "consumer", "many-imports", {})

    def test_a_backlog_of_releases(self):
        for kind in (LaterImport, LaterExport):
            threading.Thread(target=kind.work, daemon=True).start()
        # Whether anything is still waiting by then is up to the scheduler: it may be said, but it is never a fault.
        for adapter, role, variant in (
            (doubles.Importing(LaterImport), "consumer", "many-imports"),
            (doubles.Producer("", LaterExport), "producer", "many-consumed"),
            (doubles.Producer("", LaterExport), "producer", "many-unconsumed"),
        ):
            with self.subTest(variant=variant):
                self.assertEqual(broken(judge(adapter, role, variant)), {})

    def test_producers_that_release_in_batches(self):
        balanced = "managed.owner-balanced"
        for most in (64, 120):
            adapter = doubles.Producer("", type("Batch", (BatchExport,), {"waiting": [], "most": most}))
            for variant in ("consumed", "unconsumed"):
                self.assertIn(said(judge(adapter, "producer", variant)), ({}, {balanced: "info"}))
            for variant in ("many-consumed", "many-unconsumed", "many-threads", "other-thread"):
                self.check(adapter, "producer", variant, {})
        self.check(doubles.Producer("references kept"), "producer", "consumed", {balanced: "broken"})

    def test_a_consumer_that_releases_in_batches(self):
        library = Library(doubles.Importing(BatchImport), "/nowhere/double.py")
        library.leaks = source.ENOUGH_LEAKS  # so that one release is not waited for
        for variant in ("versioned", "many-threads"):
            outcomes = main.judge(testing.make_case("consumer", variant, "c"), library, doubles.native)["outcomes"]
            # Which of them come too late to be seen depends on how many wait from before.
            self.assertIn(outcomes["managed.deleter-once"]["outcome"], ("pass", "blocked"), variant)

    def test_memory_that_is_never_given_back(self):
        for variant in ("consumed", "unconsumed"):
            outcomes = judge(doubles.Producer("", NullDeleter), "producer", variant)
            self.assertEqual(outcomes["managed.owner-balanced"]["outcome"], "info")
            self.assertEqual(broken(outcomes), {})

    def test_one_export_at_a_time(self):
        self.check(doubles.Producer("", OneExport), "producer", "dl_device=enum", {})


class Threads(unittest.TestCase):
    def test_consumers(self):
        for kind, fault, variant, rule in (
            (odd.Locked, "around the release", "deleter-meets", "managed.deleter-noop-safe-gil"),
            (odd.LetsOthersIn, "", "race", "capsule.race"),
            (odd.OneShelf, "one shelf", "many-threads", "managed.deleter-once"),
        ):
            with self.subTest(kind=kind.__name__):
                self.assertEqual(said(judge(zoo_adapter(kind, fault), "consumer", variant)), {rule: "broken"})
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
