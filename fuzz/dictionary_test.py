"""Tests of dictionary.py."""

import unittest

import dictionary


class Dictionary(unittest.TestCase):
    def test_takes_each_word_and_sign_once_and_leaves_out_what_is_none(self):
        source = "\n".join(
            (
                '#include "header.h"',
                '// a "comment"',
                'if (word == "format") return take("format");  // "behind"',
                'fail("a sentence for people");',
                'format("{} is");',
                'if (c == \'"\') quote("library");',
                'for (auto dots : {"...", "\\\\ldots"})',
            )
        )
        self.assertEqual(dictionary.dictionary([source]), '"\\x22"\n"..."\n"\\x5Cldots"\n"format"\n"library"\n')

    def test_takes_the_words_of_rows(self):
        table = 'DLSPEC_STEP(Make, "make", 2, (own, kDLCPU))\n// DLSPEC_STEP(No)'
        self.assertEqual(dictionary.dictionary([], [table]), '"Make"\n"kDLCPU"\n"make"\n"own"\n')

    def test_quotes_what_is_not_printed(self):
        self.assertEqual(dictionary.quoted('a"\n\u00e4'), '"a\\x22\\x0A\\xC3\\xA4"')


if __name__ == "__main__":
    unittest.main()
