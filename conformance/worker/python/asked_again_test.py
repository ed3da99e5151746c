"""Faults of consumers that show by what was asked before, by whom, or inside which call: each is found by its case."""

import types
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.facts import dlpack, values
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles

waiting.PATIENCE = 0.1


def judge(adapter, variant, layout="c"):
    """rule -> observation, of what is violated."""
    outcomes = outcomes_of(adapter, variant, layout)
    return {rule: each["observed"] for rule, each in outcomes.items() if each["outcome"] == "violated"}


def outcomes_of(adapter, variant, layout="c"):
    case = testing.make_case("consumer", variant, layout, "float32")
    return main.judge(case, Library(adapter, "/nowhere/double.py"), doubles.native)["outcomes"]


class Remembers(doubles.Consumer):
    """Sends the copy of its last import that had one."""

    last = None

    def ask(self, source, copy=None):
        self.last = copy if copy is not None else self.last
        return super().ask(source, self.last)


class AsksForTheNewest(doubles.Consumer):
    """Asks for the highest version that it has met."""

    newest = (1, 3)

    def ask(self, source, copy=None):
        capsule = source.__dlpack__(max_version=self.newest, copy=copy)
        self.newest = max(self.newest, doubles.native.look(capsule)["version"] or self.newest)
        return capsule


class OldOnceOld(doubles.Consumer):
    """A class that raised TypeError once is never asked with keywords again."""

    def __init__(self):
        super().__init__()
        self.old = set()

    def ask(self, source, copy=None):
        if type(source) not in self.old:
            try:
                return source.__dlpack__(max_version=(1, 3), copy=copy)
            except TypeError:
                self.old.add(type(source))
        return source.__dlpack__()


class InAGenerator(doubles.Consumer):
    def ask(self, source, copy=None):
        def stages():
            yield super(InAGenerator, self).ask(source, copy)

        return next(stages())


class SpelledNone(doubles.Consumer):
    """Sends copy=None where it was spelled, and falls back to a call without keywords."""

    absent = object()

    def from_dlpack(self, source, copy=absent, device=None):
        words = {} if copy is self.absent else {"copy": copy}
        try:
            capsule = source.__dlpack__(max_version=(1, 3), **words)
        except TypeError:
            if copy:
                raise
            capsule = source.__dlpack__()
        return self.take(capsule)


class TakesRocm(doubles.Consumer):
    """Takes memory of ROCm for memory of the host."""

    def ask(self, source, copy=None):
        return source.__dlpack__(max_version=(1, 3), copy=copy)

    def take(self, capsule):
        taken = doubles.Taken(capsule, rename=False)
        if taken.tensor.device_type == 10:
            taken.tensor.device_type = 1
        return super().take(capsule)


class Pool(doubles.Consumer):
    """What is imported inside another import is released when that ends."""

    depth, inner = 0, ()

    def from_dlpack(self, source, copy=None, device=None):
        self.depth += 1
        try:
            made = super().from_dlpack(source, copy, device)
        finally:
            self.depth -= 1
        if self.depth:
            self.inner = (*self.inner, made)
        else:
            for each in self.inner:
                each.taken.release()
            self.inner = ()
        return made


class Busy(doubles.Import):
    """Is not released while another one is being released."""

    busy = False

    def __del__(self):
        if Busy.busy:
            return
        Busy.busy = True
        super().__del__()
        Busy.busy = False


class LeaksWithoutContext(doubles.Consumer):
    """What it refuses is released where it has a context."""

    def take(self, capsule):
        look = doubles.native.look(capsule)
        if look["dtype"][0] == dlpack.UNDEFINED_CODE and not look["manager_ctx"]:
            doubles.Taken(capsule)
            raise BufferError("no such dtype")
        return super().take(capsule)


class Owner(doubles.Library):
    """Imports arrays as arrays. `bypassed`: its own arrays are taken without a look at their methods."""

    bypassed = False

    def from_dlpack(self, source, copy=None, device=None):
        if self.bypassed and isinstance(source, doubles.Array) and not copy:
            return source
        taken = super().from_dlpack(source, copy)
        if not isinstance(source, doubles.Array):
            return taken
        shape = taken.look["shape"]
        order = types.SimpleNamespace(dtype="float32", shape=shape, strides=None, offset=0, readonly=False, bytes=b"")
        order.device = (1, 0)
        return doubles.Array(values.changed(order, bytes=taken.now()))


class Bypasses(Owner):
    bypassed = True


class AsksForLess(doubles.Consumer):
    """Asks for 0.8 for ever once a legacy struct came in answer to max_version."""

    newest = (1, 3)

    def ask(self, source, copy=None):
        try:
            capsule = source.__dlpack__(max_version=self.newest, copy=copy)
        except TypeError:
            return source.__dlpack__()
        if doubles.native.look(capsule)["name"] == "dltensor":
            self.newest = (0, 8)
        return capsule


class MissesTheFalse(doubles.Consumer):
    def from_dlpack(self, source, copy=None, device=None):
        if not source:
            raise TypeError("no source")
        return super().from_dlpack(source, copy, device)


TABLE = (
    (AsksForLess, "max_version", "python.consumer-max-version-truthful"),
    (MissesTheFalse, "any-object", "python.from-dlpack-any-object"),
    (Remembers, "keywords-sent", "python.copy-forwarded"),
    (AsksForTheNewest, "max_version", "python.consumer-max-version-truthful"),
    (OldOnceOld, "copy=false", "python.from-dlpack-copy-false-error"),
    (InAGenerator, "source-raises", "python.from-dlpack-propagates"),
    (SpelledNone, "keywords=none", "python.from-dlpack-kwargs"),
    (TakesRocm, "device=foreign", "device.unsupported-buffererror"),
    (Pool, "nested", "tensor.element-address"),
    (lambda: doubles.Importing(Busy), "released-inside", "managed.deleter-once"),
    (LeaksWithoutContext, "manager_ctx=null", "managed.ctx-opaque"),
)


class AskedAgain(unittest.TestCase):
    def test_each_fault_is_found_by_its_case(self):
        for faulty, variant, rule in TABLE:
            with self.subTest(variant=variant):
                self.assertIn(rule, judge(faulty(), variant))

    def test_what_keeps_the_rules_is_not_blamed(self):
        for _, variant, _ in TABLE:
            with self.subTest(variant=variant):
                self.assertEqual(judge(doubles.Library(), variant), {})

    def test_a_short_way_for_arrays_of_the_library_is_information(self):
        found = outcomes_of(Bypasses(), "own-array")["python.from-dlpack-propagates"]
        self.assertEqual(found["outcome"], "info")
        self.assertIn("of a class whose __dlpack__ raises BufferError", found["observed"])

    def test_an_offset_of_33_bits(self):
        self.assertEqual(judge(doubles.Library(), "byte_offset=4294967360"), {})
        found = judge(doubles.Consumer("byte_offset ignored"), "byte_offset=4294967360")
        self.assertIn("tensor.byte-offset-honoured", found)


if __name__ == "__main__":
    unittest.main()
