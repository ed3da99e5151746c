"""The array that a library makes in the place of one that it cannot, and the elements of arrays."""

import types
import unittest
import unittest.mock
import weakref

import testing
from dlspec_worker.exports import exporting
from dlspec_worker.facts import elements, values
from dlspec_worker.subject import nearest
from dlspec_worker.subject.library import Library
from dlspec_worker.trial.outcomes import Unsupported

assert testing


class Nearest(unittest.TestCase):
    """What a library cannot make is replaced by the nearest that it can."""

    def library(self, can):
        def make(order):
            if not can(order):
                raise NotImplementedError("not this one")
            return order

        return Library(types.SimpleNamespace(make=make, contents=lambda array: array.bytes), "/nowhere/x.py")

    def order(self, **changes):
        plain = {"dtype": "float32", "shape": (3, 4), "strides": (10, 2), "offset": 0, "readonly": False}
        made = types.SimpleNamespace(**{**plain, "device": (1, 0), **changes})
        made.bytes = values.contents(made)
        return made

    def test_the_order_itself_comes_first(self):
        order = self.order()
        self.assertIs(nearest.choose(self.library(lambda each: True), order), order)

    def test_another_dtype_keeps_the_layout(self):
        found = nearest.choose(self.library(lambda each: each.dtype == "uint8"), self.order())
        self.assertEqual((found.dtype, found.shape, found.strides), ("uint8", (3, 4), (10, 2)))
        self.assertEqual(found.bytes, values.contents(found))

    def test_a_plainer_layout_keeps_the_dtype(self):
        found = nearest.choose(self.library(lambda each: each.strides is None), self.order(dtype="int16"))
        self.assertEqual((found.dtype, found.shape, found.strides), ("int16", (3, 4), None))

    def test_what_can_never_be_made_keeps_its_reason(self):
        with self.assertRaisesRegex(Unsupported, "not this one"):
            nearest.choose(self.library(lambda each: False), self.order())

    def test_what_the_adapter_declares_is_believed(self):
        library = self.library(lambda each: True)
        library.dtypes, library.max_rank = ("uint8",), 1
        found = nearest.choose(library, self.order())
        self.assertEqual((found.dtype, found.shape), ("uint8", (12,)))


class Lent:
    """An array whose struct ends with it, as what an exchange table lends does."""

    def __dlpack__(self, **keywords):
        return object()


class Another(unittest.TestCase):
    def test_it_lives_while_its_struct_is_looked_at(self):
        order = types.SimpleNamespace(dtype="float32", shape=(0, 4), strides=None, offset=0, readonly=False, bytes=b"")
        array = Lent()
        alive, made = weakref.ref(array), [array]
        del array
        library = types.SimpleNamespace(make=lambda _: made.pop())
        trial = types.SimpleNamespace(order=order, library=library, channel=None, request={})
        seen = []
        with unittest.mock.patch.object(exporting, "fault_of", lambda *_: seen.append(alive() is not None)):
            exporting._fault_of_another(trial, {})
        self.assertEqual(seen, [True])


class Values(unittest.TestCase):
    def test_elements_fill_their_size_and_differ(self):
        for dtype in ("int8", "int64", "float16", "bfloat16", "float64", "complex64", "float32x4", "bool", "int4"):
            made = types.SimpleNamespace(dtype=dtype, shape=(3, 4), strides=None)
            data = values.contents(made)
            self.assertEqual(len(data), (12 * elements.bits_of(dtype) + 7) // 8, dtype)
            self.assertGreater(len(set(data)), 1, dtype)

    def test_indices_that_share_a_place_share_the_value(self):
        made = types.SimpleNamespace(dtype="int32", shape=(3, 4), strides=(0, 1))
        data = values.contents(made)
        self.assertEqual(data[:16], data[16:32])


if __name__ == "__main__":
    unittest.main()
