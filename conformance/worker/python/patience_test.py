"""What is late, or kept on purpose, is no fault: consumers and producers that release in batches, later or never."""

import collections
import queue
import threading
import time
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.imports import source
from dlspec_worker.observing.leaks import Growth
from dlspec_worker.subject.library import Library
from exhibits import doubles
from oracle_test import judge, said, violated


class KeepsLast(doubles.Consumer):
    """Keeps the last arrays that it made, as an interactive shell does."""

    def __init__(self, fault="", count=1):
        super().__init__(fault)
        self.last = collections.deque(maxlen=count)

    def from_dlpack(self, source, copy=None, device=None):
        self.last.append(super().from_dlpack(source, copy, device))
        return self.last[-1]


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


class QueuedImport(doubles.Import):
    """Leaves its release to a thread that takes 10 ms for each, and is busy with what came before."""

    waiting = queue.SimpleQueue()

    def __init__(self, capsule, fault):
        try:
            super().__init__(capsule, fault)
        except BufferError:
            self.waiting.put(doubles.Taken(capsule))
            raise

    def __del__(self):
        if hasattr(self, "taken"):
            self.waiting.put(self.taken)

    @classmethod
    def work(cls):
        while True:
            taken = cls.waiting.get()
            time.sleep(0.01)
            taken.release()
            del taken


class TimedImport(doubles.Import):
    """Leaves its release to a timer."""

    def __del__(self):
        if hasattr(self, "taken"):
            threading.Timer(1.0, self.taken.release).start()


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
    """Its memory is never released, and its deleter says so."""

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
            self.check(KeepsLast("never released"), "consumer", variant, {once: "violated"})
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
                self.assertEqual(violated(judge(adapter, role, variant)), {})

    def test_releases_behind_those_of_earlier_cases(self):
        library = Library(doubles.Importing(QueuedImport), "/nowhere/double.py")
        threading.Thread(target=QueuedImport.work, daemon=True).start()
        for variant in ("many-imports", "many-threads", "many-refusals", "versioned"):
            outcomes = main.judge(testing.make_case("consumer", variant, "c"), library, doubles.native)["outcomes"]
            self.assertLessEqual(set(violated(outcomes).values()), {"info"}, variant)

    def test_producers_that_release_in_batches(self):
        balanced = "managed.owner-balanced"
        for most in (64, 120):
            adapter = doubles.Producer("", type("Batch", (BatchExport,), {"waiting": [], "most": most}))
            for variant in ("consumed", "unconsumed"):
                self.assertIn(said(judge(adapter, "producer", variant)), ({}, {balanced: "info"}))
            for variant in ("many-consumed", "many-unconsumed", "many-threads", "other-thread"):
                self.check(adapter, "producer", variant, {})
        self.check(doubles.Producer("references kept"), "producer", "consumed", {balanced: "violated"})

    def test_a_consumer_that_releases_in_batches(self):
        library = Library(doubles.Importing(BatchImport), "/nowhere/double.py")
        library.leaks = source.ENOUGH_LEAKS  # so that one release is not waited for
        for variant in ("versioned", "many-threads"):
            outcomes = main.judge(testing.make_case("consumer", variant, "c"), library, doubles.native)["outcomes"]
            # Which of them come too late to be seen depends on how many wait from before.
            self.assertIn(outcomes["managed.deleter-once"]["outcome"], ("pass", "blocked"), variant)

    def test_a_consumer_that_always_releases_late(self):
        """What was waited for often enough is not waited for any more, and says nothing."""
        for release, expected in ((TimedImport, "unsupported"), (doubles.Import, "pass")):
            library = Library(doubles.Importing(release), "/nowhere/double.py")
            library.late_seconds = 2 * source.ENOUGH_LATE
            for variant in ("versioned", "legacy"):
                outcomes = main.judge(testing.make_case("consumer", variant, "c"), library, doubles.native)["outcomes"]
                self.assertEqual(outcomes["managed.deleter-once"]["outcome"], expected, variant)
                self.assertEqual(violated(outcomes), {})

    def test_references_that_come_back_rounds_later(self):
        """A thread of a busy machine drops in each batch more than the batch takes, of what the rounds before took."""
        held, kept, batches = object(), [], []

        def act(count, _):
            if not batches:
                kept.extend([held] * 4000)  # the warm-up
            else:
                del kept[-1000:]
            batches.append(count)
            return count

        late = Growth(testing.load_native(), act, held)
        self.assertTrue(all(growth[0] < 0 for growth in late.growths), late.growths)
        self.assertEqual(late.lost_references, 0)

    def test_tables_keep_their_memory_when_what_waited_is_gone(self):
        """Of 10,000 exports that a timer releases, tables keep what they grew to."""
        held, waiting, tables = object(), [], []

        def act(count, _):
            waiting.extend([held] * count)
            tables.append(bytearray(100 * count))
            return count

        late = Growth(testing.load_native(), act, held)
        self.assertTrue(late.references and late.heap, late.growths)
        threading.Timer(0.1, waiting.clear).start()
        self.assertTrue(late.is_gone())

    def test_memory_that_is_never_released(self):
        for variant in ("consumed", "unconsumed"):
            outcomes = judge(doubles.Producer("", NullDeleter), "producer", variant)
            self.assertEqual(outcomes["managed.owner-balanced"]["outcome"], "info")
            self.assertEqual(violated(outcomes), {})

    def test_one_export_at_a_time(self):
        self.check(doubles.Producer("", OneExport), "producer", "dl_device=enum", {})


if __name__ == "__main__":
    unittest.main()
