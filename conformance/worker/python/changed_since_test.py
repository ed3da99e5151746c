"""What changed since the last exchange: the array, its memory, or what an exporter shows. Each fault is found."""

import unittest

import testing
from dlspec_worker import main
from dlspec_worker.facts import elements, values
from dlspec_worker.subject.library import Library
from dlspec_worker.trial import waiting
from exhibits import doubles

waiting.PATIENCE = 0.1


def judge(adapter, role, variant, layout="c", dtype="float32"):
    case = testing.make_case(role, variant, layout, dtype)
    outcomes = main.judge(case, Library(adapter, "/nowhere/double.py"), doubles.native)["outcomes"]
    return {rule: each["observed"] for rule, each in outcomes.items() if each["outcome"] == "violated"}


class Moves(doubles.Array):
    """A copy moves the array: exports from then on lead to other memory."""

    def copied(self, generation):
        self.offers = {}
        return super().copied(generation)


class Transposed(doubles.Array):
    """Can be transposed in place."""

    def transpose(self):
        order = self.order
        bytes_now = elements.in_reversed_axes(order)
        shape = tuple(reversed(order.shape))
        self.order = values.changed(order, shape=shape, strides=None, bytes=bytes_now)
        self.forget()

    def forget(self):
        self.offers = {}


class RemembersItsLayout(Transposed):
    """Exports what it was when it was exported first."""

    def forget(self):
        pass


class Producer(doubles.Producer):
    def __init__(self, kind):
        super().__init__(base=kind)

    def contents(self, array):
        return array.order.bytes if isinstance(array, Transposed) else super().contents(array)

    def mutate(self, array, kind):
        if kind != "transpose":
            raise TypeError("not in place")
        array.transpose()


class KeepsNamesWithoutDeleter(doubles.Import):
    """Takes nothing over where there is no deleter to call, and leaves the capsule its name."""

    def __init__(self, capsule, fault):
        is_borrowed = not doubles.Taken(capsule, rename=False).struct.deleter
        super().__init__(capsule, "not renamed" if is_borrowed else fault)


class RemembersExporters(doubles.Importing):
    """Gives the array that it made of an exporter again, as long as that lives."""

    def __init__(self):
        super().__init__(doubles.Import)
        self.known = {}

    def from_dlpack(self, source, **keywords):
        if keywords:
            return super().from_dlpack(source, **keywords)
        if id(source) not in self.known:
            self.known[id(source)] = source, super().from_dlpack(source)
        return self.known[id(source)][1]


class ChangedSince(unittest.TestCase):
    def test_a_copy_that_moves_its_source(self):
        self.assertEqual(judge(Producer(doubles.Array), "producer", "no-effect", "strided"), {})
        found = judge(Producer(Moves), "producer", "no-effect", "strided")
        self.assertEqual(list(found), ["python.no-effect-on-source"])
        self.assertIn("after copy=True", found["python.no-effect-on-source"])

    def test_an_array_that_is_transposed_between_two_exports(self):
        variant = "path:after=reshaped"
        self.assertEqual(judge(Producer(Transposed), "producer", variant, "square"), {})
        found = judge(Producer(RemembersItsLayout), "producer", variant, "square")
        self.assertEqual(list(found), ["tensor.element-address"])

    def test_a_struct_without_a_deleter_that_keeps_its_name(self):
        self.assertEqual(judge(doubles.Importing(doubles.Import), "consumer", "null-deleter"), {})
        found = judge(doubles.Importing(KeepsNamesWithoutDeleter), "consumer", "null-deleter")
        self.assertEqual(set(found), {"capsule.renamed-versioned", "capsule.renamed-legacy"})

    def test_an_exporter_that_has_other_memory_than_before(self):
        self.assertEqual(judge(doubles.Importing(doubles.Import), "consumer", "same-memory"), {})
        found = judge(RemembersExporters(), "consumer", "same-memory")
        self.assertIn("other memory than before", found["tensor.element-address"])


if __name__ == "__main__":
    unittest.main()
