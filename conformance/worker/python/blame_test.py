"""Nobody is blamed for what dlspec did not see: a heuristic yields to elements, and a tool is tried before its use."""

import struct
import types
import unittest

import testing
from dlspec_worker import main
from dlspec_worker.exports import structs
from dlspec_worker.facts import elements
from dlspec_worker.subject.library import Library
from exhibits import doubles


def judge(adapter, role, variant, layout="c", dtype="float32", rules=None):
    case = testing.make_case(role, variant, layout, dtype, rules)
    return main.judge(case, Library(adapter, "/nowhere/double.py"), doubles.native)


def breaches(answer):
    return {rule: each["observed"] for rule, each in answer["outcomes"].items() if each["outcome"] == "broken"}


class Spread(doubles.Array):
    """Shows every nth element of a larger array, n being the element size in bytes: nothing forbids such strides."""

    def fields(self):
        size = elements.bits_of(self.order.dtype) // 8
        return {"strides": tuple(size * stride for stride in elements.row_major(self.order.shape)), "byte_offset": 0}


def matrix():
    """An order of 3 x 4 floats."""
    layout = {"shape": (3, 4), "strides": None, "offset": 0, "readonly": False, "device": (1, 0)}
    return types.SimpleNamespace(dtype="float32", bytes=struct.pack("12f", *range(12)), **layout)


class ElementsDecide(unittest.TestCase):
    def test_strides_that_are_multiples(self):
        for variant in ("max_version=1.3", "plain"):
            for layout in ("c", "rank8", "rank1"):
                for dtype in ("float32", "float64", "complex128"):
                    with self.subTest(variant=variant, layout=layout, dtype=dtype):
                        answer = judge(doubles.Producer(base=Spread), "producer", variant, layout, dtype)
                        self.assertEqual(breaches(answer), {})

    def test_strides_that_look_like_rubbish(self):
        # (4, 33): the first stride is that of a compact array, the second like a header of a block of the heap.
        offer = doubles.make_offer(matrix(), "versioned", strides=(4, 33))
        capsule = offer.capsule()
        self.assertIsNone(structs.fault_of(matrix(), *doubles.native.locate(capsule)))

    def test_strides_that_are_rubbish(self):
        capsule = doubles.make_offer(matrix(), "versioned").capsule()
        taken = doubles.Taken(capsule, rename=False)
        taken.tensor.strides = doubles.keep(struct.pack("2q", 4, 33))
        fault = structs.fault_of(matrix(), *doubles.native.locate(capsule))
        self.assertEqual(fault and fault.rule, "tensor.strides-length")


if __name__ == "__main__":
    unittest.main()
