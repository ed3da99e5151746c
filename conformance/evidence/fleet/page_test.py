"""The page of the fleet and its pictures, over a command that is a script."""

import re
import unittest

import exchanges
import fleet
import page
import pictures
import results
import subjects
from fleet_testing import NEWEST, OverAScript, document, record


class Page(OverAScript):
    def test_the_page_says_versions_seconds_counts_and_findings(self):
        self.answer_both()
        self.fleet()
        text = self.page.read_text()
        self.assertIn("| NumPy | 2.0 | 3.11.2 | 0.5 | 0.2 | 1.5 | 1 | 1 | 0 | 0 | 0 | 1 |", text)
        self.assertIn("| NumPy | 1.0 | 3.11.2 | 0.5 | 0.2 | 1.5 | 2 | 0 | 0 | 0 | 0 | 0 |", text)
        self.assertIn("- fail [a.b](rules/a.b.md), producer: [numpy-x](findings.md#numpy-x); in 2.0\n", text)
        self.assertIn(
            "1 libraries in the release that is pinned in the table, 0 of them in three versions or more: 2 subjects.",
            text,
        )

    def test_the_page_shows_each_library_over_its_releases(self):
        self.answer_both()
        self.fleet()
        self.assertIn(
            "| NumPy 2.0<br>[1 finding](#numpy) | ![1 fail](fleet/numpy-badge.svg)<br>"
            "![1.0: conforms; 2.0: 1 fail](fleet/numpy-releases.svg) |",
            self.page.read_text(),
        )
        bars = (self.folder / "fleet" / "numpy-releases.svg").read_text()
        self.assertEqual(re.findall(r'<rect class="fail".* height="(\d+)"/>', bars), ["0", "3"])
        self.assertIn('class="fail"', (self.folder / "fleet" / "numpy-badge.svg").read_text())
        self.assertRegex(self.page.read_text(), r"\n1\. \*\*.+ \[Report\]\(upstream/.+\.md\)\n2\. ")

    def test_the_page_is_made_again_from_what_is_kept(self):
        self.answer_both()
        self.fleet()
        before = self.page.read_text()
        self.page.unlink()
        (self.folder / "fleet" / "gone-badge.svg").write_text("")
        self.assertEqual(self.fleet("--page")[0], 0)
        self.assertEqual(self.page.read_text(), before)
        self.assertFalse((self.folder / "fleet" / "gone-badge.svg").exists())
        self.exchanges = {"when": "Today.", "names": ["A", "B"], "states": [["A", "B", "shared"], ["B", "A", "fails"]]}
        self.fleet("--page")
        self.assertIn("![Of 2 pairs 1 fails, 1 shared.](fleet/exchanges.svg)", self.page.read_text())
        picture = (self.folder / "fleet" / "exchanges.svg").read_text()
        self.exchanges["states"] = [["A", "B", "fails"], ["B", "A", "fails"]]
        self.fleet("--page")
        self.assertIn("![Of 2 pairs 2 fail.](fleet/exchanges.svg)", self.page.read_text())
        self.assertIn("<title>B to A: a wrong value, a lost dtype, a crash or a hang</title>", picture)

    def test_a_run_that_did_not_judge_all_keeps_earlier_rows(self):
        old, new, other = ({"library": name, "release": "1"} for name in ("old", "new", "other"))
        earlier = {"when": "1 May 2026, 2 cores", "rows": [old, new]}
        kept = results.completed({"when": "2 May 2026, 2 cores", "rows": [new, other]}, earlier)
        dated = old | {"before": "1 May 2026"}
        self.assertEqual(kept, {"when": "2 May 2026, 2 cores", "rows": [dated, new, other]})
        again = results.completed({"when": "3 May 2026, 2 cores", "rows": [new]}, kept)
        self.assertEqual(again["rows"], [dated, new, other | {"before": "2 May 2026"}])
        self.answer_both()
        self.fleet("--only", "numpy==2.0")
        self.assertEqual(self.fleet("--partly")[0], 0)
        self.assertIn("| NumPy | 2.0 |", self.page.read_text())

    def test_the_page_of_the_project_is_what_its_results_make(self):
        text, drawn = page.page(results.read(), subjects.read_findings(), results.read_exchanges())
        self.assertEqual(fleet.PAGE.read_text(encoding="utf-8"), text, "run fleet.py --page")
        there = {path.name: path.read_text(encoding="utf-8") for path in fleet.PAGE.with_suffix("").iterdir()}
        self.assertEqual(there, drawn)

    def test_the_state_of_a_pair_is_that_of_its_worst_record(self):
        def came(status, memory):
            return {"status": status, "came": {"memory": memory}}

        rows = (
            ([came("pass", "shared"), {"status": "pass"}], "shared"),
            ([came("pass", "shared"), came("pass", "copied")], "copied"),
            ([came("pass", "shared"), {"status": "warn"}], "warns"),
            ([came("pass", "shared"), {"status": "warn"}, {"status": "crash"}], "fails"),
            ([{"status": "unsupported"}, {"status": "blocked"}], "refused"),
        )
        for records, state in rows:
            self.assertEqual(pictures.state_of(records), state)

    def test_of_several_documents_about_a_pair_the_first_counts(self):
        def exchanged(subjects, *records):
            names = [{"subject": name, "name": name.upper(), "version": "1"} for name in subjects]
            return {
                "subjects": names,
                "results": [
                    {"producer": producer, "consumer": consumer, "status": status, "came": {"memory": "shared"}}
                    for producer, consumer, status in records
                ],
            }

        first = exchanged("ab", ("a", "b", "pass"), ("a", "b", "warn"), ("b", "b", "pass"))
        second = exchanged("bc", ("b", "b", "crash"), ("c", "b", "pass"))
        kept = exchanges.exchanges([first, second])
        self.assertEqual(kept["names"], ["A 1", "B 1", "C 1"])
        states = [["A 1", "B 1", "warns"], ["B 1", "B 1", "shared"], ["C 1", "B 1", "shared"]]
        self.assertEqual(kept["states"], states)

    def test_what_cannot_be_judged_is_in_the_table(self):
        self.answer_both()
        self.answer(NEWEST, 3, "dlspec: no GPU | none\n", found=document(NEWEST, "", record("blocked")))
        self.assertEqual(self.fleet()[0], 0)
        self.assertIn("| NumPy | 2.0 | 3.11.2 | not judged: no GPU \\| none |", self.page.read_text())


if __name__ == "__main__":
    unittest.main()
