"""Paths: what is known of arrays that come from others, and what a path says where nobody else does."""

import struct
import unittest

import testing
from changed_since_test import judge
from dlspec_worker import main
from dlspec_worker.facts import elements, values
from dlspec_worker.facts.dlpack import IS_COPIED
from dlspec_worker.subject.library import Library
from exhibits import doubles


class CopiesDensely(doubles.Producer):
    """Its copies of repeated elements have memory for each of them."""

    def contents(self, array):
        return array.order.bytes

    def from_dlpack(self, source, copy=None):
        order = source.order
        return doubles.Array(values.changed(order, strides=elements.row_major(order.shape)) if copy else order)


class WorkedOut(doubles.Producer):
    """A state of an array is exported as memory of its own, which may be written."""

    def states(self, array):
        return {"plain": doubles.Array(values.changed(array.order, readonly=False))}

    def contents(self, array):
        return array.order.bytes


class StatesOfComplexArrays(doubles.Producer):
    """Real arrays have no state but their own."""

    def states(self, array):
        return {"lazy": doubles.Array(array.order)} if array.order.dtype.startswith("complex") else {}

    def contents(self, array):
        return array.order.bytes


class CopiesWithoutTurning(doubles.Producer):
    """Arrays wait for their values, and complex ones are conjugated, too; only copies of the latter are wrong."""

    def states(self, array):
        found = {"lazy": doubles.Array(array.order)}
        return {**found, "conjugated": Turned(array.order)} if array.order.dtype.startswith("complex") else found

    def contents(self, array):
        return array.order.bytes


class Turned(doubles.Array):
    def answer(self, max_version, copy):
        if not copy:
            return super().answer(max_version, copy)
        kind = "versioned" if max_version else "legacy"
        flags = {"flags": IS_COPIED} if max_version else {}
        return doubles.make_offer(self.order, kind, contents=self.order.bytes[::-1], **flags).capsule()


class Nested(doubles.Array):
    """A view of a view begins where the last one began within the one before."""

    def __init__(self, order, depth=0):
        super().__init__(order)
        self.depth = depth

    def __getitem__(self, index):
        view = Nested(values.part(self.order)[1], self.depth + 1)
        if self.depth:
            wrong = {"contents": view.order.bytes[::-1]}
            view.offers = {kind: doubles.make_offer(view.order, kind, **wrong) for kind in ("legacy", "versioned")}
        return view


class NestedViews(doubles.Producer):
    def contents(self, array):
        return array.order.bytes


class ViewsLoseTheFlag(doubles.Producer):
    """A view of a read-only array may not be written either, and does not say so."""

    def make(self, order):
        return Viewed(order)


class Viewed(doubles.Array):
    def __getitem__(self, index):
        view = Viewed(self.order)
        view.offers = {"versioned": doubles.make_offer(self.order, "versioned", flags=0)}
        return view


class Origins(unittest.TestCase):
    def test_a_view_of_a_view_is_tried(self):
        case = testing.make_case("producer", "path:origin=part", "c", "float32")
        library = Library(NestedViews(base=Nested), "/nowhere/double.py")
        outcomes = main.judge(case, library, doubles.native)["outcomes"]
        self.assertEqual(outcomes["tensor.element-address"]["outcome"], "violated", outcomes)

    def test_states_of_complex_arrays_are_tried_where_the_ordered_one_has_fewer(self):
        library = Library(CopiesWithoutTurning(), "/nowhere/double.py")
        case = testing.make_case("producer", "path:copy=true+origin=state", "c", "float32")
        outcomes = main.judge(case, library, doubles.native)["outcomes"]
        self.assertEqual(outcomes["python.copy-true"]["outcome"], "violated", outcomes)

    def test_a_stimulus_has_its_own_array_where_complex_ones_alone_have_states(self):
        case = testing.make_case("producer", "path:origin=state+stimulus=device", "c", "float32")
        outcomes = main.judge(case, Library(StatesOfComplexArrays(), "/nowhere/double.py"), doubles.native)["outcomes"]
        self.assertEqual({each["outcome"] for each in outcomes.values()}, {"pass"}, outcomes)

    def test_a_dense_copy_of_repeated_elements_is_judged(self):
        library = Library(CopiesDensely(), "/nowhere/double.py")
        for name in ("path:origin=imported-copy", "path:origin=imported-copy+before=legacy-alive"):
            case = testing.make_case("producer", name, "broadcast_both", "int16")
            case["spec"]["bytes"] = struct.pack("<4h", 3, 8, 13, 18).hex() * 6
            shown = main.judge(case, library, doubles.native)["outcomes"]["managed.exports-independent"]
            self.assertNotEqual(shown["outcome"], "blocked", shown)

    def test_what_nobody_else_tells_is_told(self):
        """Two exports in one capsule are left to an ordinary variant, unless that has shown nothing."""
        library = Library(doubles.Producer("stored capsule"), "/nowhere/double.py")
        case = testing.make_case("producer", "path:before=export-alive", "c")
        for is_witness, outcome in ((False, "blocked"), (True, "violated")):
            case["only_witness"] = is_witness
            shown = main.judge(case, library, doubles.native)["outcomes"]["capsule.fresh-per-call"]
            self.assertEqual(shown["outcome"], outcome, shown)

    def test_a_read_only_array_in_a_state_is_worked_out_anew(self):
        self.assertEqual(judge(WorkedOut(), "producer", "path:origin=state", "readonly"), {})

    def test_a_view_of_a_read_only_array(self):
        found = judge(ViewsLoseTheFlag(), "producer", "path:origin=view", "readonly")
        self.assertEqual(list(found), ["flags.read-only-set"])


if __name__ == "__main__":
    unittest.main()
