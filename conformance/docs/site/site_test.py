"""What the docs site is assembled by, and what follows its links: each mistake is noticed."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import assemble
import check_links


class Assembled(unittest.TestCase):
    def setUp(self):
        self.links = assemble.Links(assemble.pages())

    def test_links_lead_to_pages_or_to_the_repository(self):
        source = "conformance/docs/guide.md"
        for written, expected in (
            ("[a](wheel.md#plug-ins)", "[a](wheel.md#plug-ins)"),
            ("[a](../../README.md)", "[a](index.md)"),
            ("[a](../evidence/pages/rules/tensor.row.md)", None),
            ("[a](../evidence/pages/rules/README.md)", "[a](rules/index.md)"),
            ("[a](../plugin/plugin.h)", f"[a]({assemble.REPOSITORY}conformance/plugin/plugin.h)"),
            ("[a](https://x.org/y.md) and [b](#c)", "[a](https://x.org/y.md) and [b](#c)"),
            ("```\n[a](nothing.md)\n```", "```\n[a](nothing.md)\n```"),
        ):
            with self.subTest(written):
                text = self.links.rewrite(source, written)
                self.assertEqual(bool(self.links.broken), expected is None)
                self.links.broken.clear()
                self.assertEqual(text, expected or text)
        self.assertEqual(
            self.links.rewrite("conformance/evidence/pages/rules/README.md", "[a](../questions.md)"),
            "[a](../questions.md)",
        )

    def test_a_rule_has_its_number_and_its_findings(self):
        numbers = assemble.rule_numbers()
        self.assertEqual(numbers["version.major-checked-first"], 1)
        found = {"package": "p", "version": "1", "id": "p-x", "role": "producer", "status": "fail"}
        page = assemble.rule_page("# r\n\ntext\n", "r", {"q": 1, "r": 2}, [found])
        self.assertIn("# r\n\nRule 2 of 2.\n", page)
        self.assertIn("- [p 1](../findings.md#p-x), producer, fail", page)
        self.assertNotIn("Findings", assemble.rule_page("# r\n\ntext\n", "r", {"r": 1}, []))

    def test_a_night_is_shown_with_what_failed(self):
        part = {"done": 2, "seconds": 90, "failure": "", "facts": {"runs": 7}}
        page = assemble.night_page({"commit": "c1", "parts": {"a": part, "b": {**part, "failure": "no <b> | x"}}})
        self.assertIn("| a | 2 | 1.5 | runs: 7 |", page)
        self.assertIn("| b | 2 | 1.5 | FAILED: no &lt;b> \\| x |", page)
        self.assertIn("No night", assemble.night_page(None))


class Followed(unittest.TestCase):
    def broken(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                (pathlib.Path(folder) / f"{name}.html").write_text(text)
            (pathlib.Path(folder) / "file.js").touch()
            return list(check_links.Site(pathlib.Path(folder)).broken())

    def test_what_is_missing_is_told(self):
        good = '<a id="x" href="b.html#y"></a><script src="file.js"></script><a href="https://x.org/nothing"></a>'
        self.assertEqual(self.broken(a=good, b='<h1 id="y">'), [])
        self.assertEqual(self.broken(a=good, b="<h1>"), ["a.html: b.html#y has no such anchor"])
        self.assertEqual(self.broken(a=good), ["a.html: b.html#y is not there"])
        self.assertEqual(self.broken(a='<img src="c.png">'), ["a.html: c.png is not there"])
        self.assertEqual(self.broken(a='<a href="../../x.html"></a>'), ["a.html: ../../x.html is not there"])
        elsewhere = '<link rel="stylesheet" href="https://fonts.example/x.css">'
        self.assertEqual(self.broken(a=elsewhere), ["a.html: https://fonts.example/x.css is loaded from elsewhere"])


if __name__ == "__main__":
    unittest.main()
