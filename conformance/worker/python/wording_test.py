"""Texts of observations are the same in every run."""

import unittest

import testing  # noqa: F401
from dlspec_worker.facts import wording


class Wording(unittest.TestCase):
    def test_addresses_and_ids_go(self):
        self.assertEqual(wording.steady("<object at 0x7f00dead> id 140234567890123"), "<object at 0x…> id …")

    def test_what_freed_memory_holds_goes(self):
        for address, key in (("94784072682203", "-2545050856423290924"), ("94593475092963", "104902713342446328")):
            said = wording.of_struct(f"uint16 ({address},{key},2):(16,4,1) @cpu v1.3")
            self.assertEqual(said, "what stands in memory that was given out again")
        self.assertEqual(wording.of_struct("int8 (2):(1) @cpu v1.3"), "int8 (2):(1) @cpu v1.3")
        self.assertEqual(wording.steady("of size x-123456789012"), "of size x-…")

    def test_times_go(self):
        self.assertEqual(wording.steady("[08:51:45] api.h:200: no"), "[…] api.h:200: no")

    def test_folders_go(self):
        self.assertEqual(wording.steady("in /tmp/x9/mod.py: no"), "in mod.py: no")
        self.assertEqual(wording.steady("see https://name.example/a/b.html"), "see https://name.example/a/b.html")
        self.assertEqual(wording.steady("either/or stays, 1/2 too"), "either/or stays, 1/2 too")

    def test_first_line_alone(self):
        self.assertEqual(wording.of_exception(ValueError("\n  first\nsecond")), "ValueError: first")

    def test_an_exception_that_cannot_speak(self):
        class Mute(Exception):
            def __str__(self):
                raise RuntimeError

        self.assertEqual(wording.of_exception(Mute()), "Mute")

    def test_what_no_utf8_can_carry(self):
        self.assertEqual(wording.of_exception(ValueError("a \ud800 b")), "ValueError: a \ufffd b")
        self.assertEqual(wording.of_exception(ValueError("\udcff\ude00")), "ValueError: \ufffd\ufffd")
        self.assertEqual(wording.steady("\U0001f600 stays"), "\U0001f600 stays")

    def test_an_object_that_cannot_be_shown(self):
        class Mute:
            def __repr__(self):
                raise RuntimeError

        self.assertEqual(wording.of_repr((1, 0)), "(1, 0)")
        self.assertEqual(wording.of_repr(Mute()), "an object of type Mute")
        self.assertEqual(wording.of_repr("\ud800"), "'\\ud800'")

    def test_a_metaclass_that_cannot_speak(self):
        class Wordless(type):
            @property
            def __name__(cls):
                raise RuntimeError

        class Odd(Exception, metaclass=Wordless):
            pass

        self.assertEqual(wording.of_exception(Odd("no")), "Odd: no")

    def test_difference(self):
        self.assertEqual(wording.of_bytes(b"abX", b"abc"), "byte 2 is 0x58 instead of 0x63; 1 of 3 bytes differ")
        self.assertEqual(wording.of_bytes(b"", b"abc"), "0 bytes instead of 3")


if __name__ == "__main__":
    unittest.main()
