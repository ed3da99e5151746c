"""Libraries that copy what they import, and release the source later, are not blamed for sharing or losing anything."""

import types
import unittest

import testing
from blame_test import judge, violated
from dlspec_worker.subject.library import Library
from exhibits import doubles
from path_cases_test import judged


class CopiesAll(doubles.Producer):
    """Every import is an array of the library's own, which may be written."""

    def from_dlpack(self, source):
        taken = doubles.Import(source.__dlpack__(max_version=(1, 3)), "")
        order = types.SimpleNamespace(
            dtype=taken.look["dtype_name"],
            shape=taken.look["shape"],
            strides=None,
            offset=0,
            readonly=False,
            bytes=taken.now(),
        )
        return doubles.Array(order)


class InACycle(doubles.Import):
    """A copy that the garbage collector releases."""

    def __init__(self, capsule, fault):
        super().__init__(capsule, fault)
        self.itself = self

    def is_live(self):
        return False


class Retries(doubles.Importing):
    """Knows exporters that have no keywords, and copies by itself."""

    def from_dlpack(self, source, copy=None, device=None):
        try:
            return super().from_dlpack(source, copy, device)
        except TypeError:
            return self.kind(source.__dlpack__(), "")


class NoOffsets(doubles.Import):
    """A tensor with a byte_offset is refused."""

    def check(self, look, capsule):
        if look["byte_offset"]:
            raise BufferError("no byte_offset")
        super().check(look, capsule)


class Copies(unittest.TestCase):
    def test_the_flag_of_a_copy_is_the_librarys(self):
        self.assertEqual(violated(judge(CopiesAll(), "producer", "onward", "readonly")), {})

    def test_what_shows_nothing_is_not_shared(self):
        library = Library(Retries(InACycle), "/nowhere/double.py")
        self.assertEqual(judged(library, "consumer", trying="typeerror"), {})

    def test_a_refusal_of_an_offset_says_nothing_of_strides(self):
        answer = judge(doubles.Importing(NoOffsets), "consumer", "versioned", "one")
        self.assertEqual(answer["outcomes"]["tensor.strides-extent1-ignored"]["outcome"], "unsupported")


if __name__ == "__main__":
    assert testing
    unittest.main()
