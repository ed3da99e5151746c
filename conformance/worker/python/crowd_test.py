"""What other arrays leave behind, and copies and writes that nobody asked for: each fault is found, its twin is not."""

import ctypes
import unittest

import blame_test
from changed_since_test import judge
from dlspec_worker.facts import elements, values
from dlspec_worker.facts.dlpack import IS_COPIED
from exhibits import doubles


class AfterVectors(doubles.Array):
    """Once vectors were exported, the next matrix of their single elements goes out wrong."""

    were_vectors = []

    def answer(self, max_version, copy):
        vector = elements.vector(self.order.dtype)
        if vector:
            self.were_vectors.append(vector[0])
        elif max_version and self.order.dtype in self.were_vectors and self.order.shape == (3, 4):
            self.were_vectors.clear()
            return doubles.make_offer(self.order, "versioned", contents=self.order.bytes[::-1]).capsule()
        return super().answer(max_version, copy)


class Field(doubles.Array):
    """A field of records, which goes out as a copy, asked for or not."""

    says_so = True

    def answer(self, max_version, copy):
        if copy is False:
            raise BufferError("a copy is needed")
        if not max_version:
            return super().answer(max_version, True)
        flags = IS_COPIED if copy or self.says_so else 0
        return doubles.make_offer(self.order, "versioned", flags=flags).capsule()


class SaysWhatWasAskedFor(Field):
    says_so = False


class Fields(doubles.Producer):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def odd(self, kind, order):
        return self.kind(order)


class Places:
    """Elements of an import, by their addresses."""

    def __init__(self, owner, addresses):
        self.owner, self.addresses = owner, addresses

    def now(self):
        return b"".join(ctypes.string_at(address, 4) for address in self.addresses)


class Stepping(doubles.Import):
    """A vector whose slices can be read and written, whatever its steps."""

    def _places(self):
        return [self.place + 4 * self.look["strides"][0] * index for index in range(len(self))]

    def __len__(self):
        return self.look["shape"][0]

    def __getitem__(self, index):
        return Places(self, self._places()[index])

    def __setitem__(self, index, part):
        data = part.now()
        for place, address in enumerate(self[index].addresses):
            ctypes.memmove(address, data[4 * place : 4 * place + 4], 4)


class SteppingOntoItself(Stepping):
    """Reads an element after it wrote it, where elements do not follow one another."""

    def __setitem__(self, index, part):
        for address, read in zip(self[index].addresses, part.addresses):
            ctypes.memmove(address, read, 4)


class OwnArraysToo(doubles.Importing):
    """The library's own arrays are what it makes of imports."""

    def make(self, spec):
        return SteppingOntoItself(doubles.make_offer(spec, "versioned").capsule(), "")

    def contents(self, array):
        return array[:].now()


class Crowd(unittest.TestCase):
    def check(self, right, wrong, place, rule):
        self.assertEqual(judge(right, *place), {})
        self.assertEqual(list(judge(wrong, *place)), [rule])

    def test_lanes_of_another_array(self):
        adapter = doubles.Producer(base=AfterVectors)
        self.assertEqual(judge(adapter, "producer", "path:before=export-released"), {})
        self.assertEqual(list(judge(adapter, "producer", "path:before=other-released")), ["tensor.element-address"])

    def test_a_copy_that_nobody_asked_for(self):
        place = ("producer", "record-field", "c", "int32")
        self.check(Fields(Field), Fields(SaysWhatWasAskedFor), place, "flags.is-copied-set")

    def test_a_vector_with_gaps_that_is_written_onto_itself(self):
        right, wrong = doubles.Importing(Stepping), doubles.Importing(SteppingOntoItself)
        self.check(right, wrong, ("consumer", "overlap-write", "strided1"), "tensor.overlap-write-guard")

    def test_a_vector_of_the_library_itself_that_goes_wrong_as_well(self):
        for adapter, mitigation in ((OwnArraysToo, "own-arrays-alike"), (doubles.Importing, None)):
            answer = blame_test.judge(adapter(SteppingOntoItself), "consumer", "overlap-write", "strided1")
            self.assertEqual(answer["outcomes"]["tensor.overlap-write-guard"].get("mitigation"), mitigation)

    def test_the_crowd_differs_in_one_respect_each(self):
        for dtype in ("float32", "int4", "bool", "float32x4", "complex128"):
            like = values.plain_order(_Like, dtype)
            for other in values.crowd(like):
                changed = [name for name in ("dtype", "shape") if getattr(other, name) != getattr(like, name)]
                self.assertEqual(len(changed), 1, (dtype, changed))
                count = elements.count_of(other) * elements.bits_of(other.dtype)
                self.assertEqual(len(other.bytes), (count + 7) // 8, (dtype, other.dtype))


class _Like:
    device = (1, 0)


if __name__ == "__main__":
    unittest.main()
