"""The reports for upstream: what they are made of, their order, and that the pages are those of today."""

import unittest

import make_upstream as upstream
import script


class Tables(unittest.TestCase):
    def test_every_rule_of_a_finding_has_a_harm_and_words(self):
        words, patterns = upstream.harms()
        self.assertEqual([name for name, _ in words], ["data", "memory", "exchange", "interface", "habit"])
        self.assertEqual({harm for _, harm in patterns}, {name for name, _ in words})
        for fault in script.faults():
            if "script" in fault:
                self.assertIn(upstream.harm(fault, ""), range(len(words)))
                source, requirement = upstream.rule_texts()[fault["rule"]]
                self.assertTrue(source and requirement.endswith("."), fault["rule"])

    def test_the_tables_are_read_whole(self):
        numpy = upstream.trackers()["numpy"]
        self.assertEqual(numpy["repository"], "numpy/numpy")
        self.assertEqual(numpy["title"], "BUG: ")
        self.assertEqual(upstream.trackers()[""]["expected"], "Expected")
        rows = upstream.FORMS.joinpath("trackers.def").read_text().count("\nDLSPEC_TRACKER(")
        self.assertEqual(len(upstream.trackers()), rows)


class Order(unittest.TestCase):
    @staticmethod
    def fault(rule, template="exported-tensor"):
        return {"rule": rule, "script": {"template": template}}

    def test_what_dies_is_at_least_a_memory_fault(self):
        fault = self.fault("python.methods-present")
        self.assertEqual(upstream.harm(fault, "fine"), 2)
        self.assertEqual(upstream.harm(fault, "imported\nthe process ended with status -11"), 1)
        self.assertEqual(upstream.harm(self.fault("tensor.element-address"), "the process did not end within 10 s"), 0)

    def test_a_wrong_exception_is_no_wrong_data(self):
        self.assertEqual(upstream.harm(self.fault("python.copy-true"), ""), 0)
        self.assertEqual(upstream.harm(self.fault("python.copy-true", "export-wrong-error"), ""), 2)

    def test_the_worst_is_first_and_failures_before_warnings(self):
        keys = [(rank, fault["status"] != "fail") for rank, fault, _, _ in upstream.on_newest()]
        self.assertEqual(keys, sorted(keys))
        self.assertGreater(len(keys), 100)


class Reports(unittest.TestCase):
    def test_a_title_is_a_clause_of_what_happens(self):
        self.assertEqual(upstream.first_clause("It is so. More.", 100), "It is so")
        self.assertEqual(
            upstream.first_clause("In 1.2.3 `a.b` reads: the rest. More.", 100), "In 1.2.3 `a.b` reads: the rest"
        )
        self.assertEqual(upstream.first_clause("It reads this: the rest of it. More.", 20), "It reads this")
        self.assertEqual(upstream.first_clause("One two three four", 12), "One two …")
        self.assertEqual(upstream.first_clause("2**32 and `2**32`", 100), r"2\*\*32 and `2**32`")

    def test_a_report_has_everything_that_a_tracker_asks_for(self):
        for row in upstream.on_newest():
            text = upstream.report(*row)
            fault = row[1]
            self.assertNotIn("{", text.split("```python")[0].split("```")[0].replace(fault["what"], ""), fault["id"])
            for part in (
                fault["what"],
                fault["why"],
                script.make(fault),
                row[3].strip(),
                f"{fault['package']} {row[2]}",
            ):
                self.assertIn(part, text)
            self.assertIn("**Severity:** " + upstream.harms()[0][row[0]][1], text)

    def test_the_pages_are_what_the_rows_make(self):
        there = {path.name: path.read_text(encoding="utf-8") for path in upstream.PAGES.glob("*.md")}
        self.assertEqual(there, upstream.pages(), "run make_upstream.py")


if __name__ == "__main__":
    unittest.main()
