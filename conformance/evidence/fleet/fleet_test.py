"""The fleet with a command that is a script: what is kept, resumed, explained and written."""

import pathlib
import unittest

import judging
import light
import news
import page
import store
import subjects
from fleet_testing import FINDING, NEWEST, OLDER, OverAScript, document, record
from subjects import Subject


class Fleet(OverAScript):
    def test_every_subject_is_judged_once_by_each_build(self):
        self.answer_both()
        self.assertEqual(self.fleet()[0], 0)
        self.assertEqual([line.split()[0] for line in self.calls()], ["numpy==2.0", "numpy==1.0"])
        self.fleet()
        self.assertEqual(self.calls(), [])
        self.fleet("--again", "--only", "numpy==1.0")
        self.assertEqual(len(self.calls()), 1)
        with open(self.bin / "dlspec", "a", encoding="utf-8") as file:
            file.write("# another build\n")
        self.fleet()
        self.assertEqual(len(self.calls()), 2)

    def test_it_goes_on_where_it_was_stopped(self):
        self.answer_both()
        self.answer(OLDER, 130)
        (self.bin / "numpy==1.0.json").unlink()
        self.assertEqual(self.fleet()[0], 130)
        self.calls()
        self.answer_both()
        self.assertIn("1 of 2 subjects are to do", self.fleet("--check")[1])
        self.assertFalse(self.page.exists())
        self.assertEqual(self.fleet()[0], 0)
        self.assertEqual(len(self.calls()), 1)
        self.assertTrue(self.page.exists())

    def test_what_no_finding_explains_is_said(self):
        self.answer_both()
        status, printed = self.fleet(findings=())
        self.assertEqual(status, 1)
        self.assertIn(
            "numpy 2.0: fail a.b, producer, as in producer/float32/c/x: seen\n1 deviations without a finding", printed
        )
        self.assertIn("| 0, 1 open |", self.page.read_text())
        for other in (
            {"role": "consumer"},
            {"rule": "a.c"},
            {"status": "warn"},
            {"status": "info"},
            {"package": "torch"},
        ):
            self.assertEqual(self.fleet("--check", findings=(FINDING | other,))[0], 1, other)
        self.assertEqual(self.fleet("--check")[0], 0)

    def test_a_crash_is_a_fail_and_an_info_with_a_remark_needs_no_finding(self):
        self.answer(OLDER, found=document(OLDER, "1.0", record("info", rule="tensor.data-256-aligned")))
        self.answer(NEWEST, 1, found=document(NEWEST, "2.0", record("crash")))
        self.assertEqual(self.fleet()[0], 0)
        self.answer(
            OLDER,
            found=document(
                OLDER,
                "1.0",
                record("info", rule="tensor.element-address"),
                record("warn", rule="tensor.data-256-aligned"),
            ),
        )
        self.assertIn("2 deviations without", self.fleet("--again")[1])

    def test_what_no_producer_may_bring_about_needs_no_finding(self):
        self.assertTrue(page.is_free({"status": "warn", "rule": "a.b", "case": "consumer/x/c/hostile=null-data"}, {}))
        self.assertFalse(page.is_free({"status": "fail", "rule": "a.b", "case": "consumer/x/c/hostile=null-data"}, {}))
        self.assertFalse(page.is_free({"status": "warn", "rule": "a.b", "case": "consumer/x/c/rank=33"}, {}))
        self.assertTrue(page.is_free({"status": "info", "rule": "a.b", "case": "consumer/x/c/rank=33"}, {"a.b": "x"}))

    def test_a_fault_may_show_under_further_rules(self):
        self.answer(OLDER, found=document(OLDER, "1.0", record("crash", rule="a.c")))
        self.answer(NEWEST, 1, found=document(NEWEST, "2.0", record("fail")))
        self.assertEqual(self.fleet()[0], 1)
        self.assertEqual(self.fleet("--check", findings=(FINDING | {"also": ["a.c"]},))[0], 0)

    def test_a_worse_finding_of_the_rule_explains_what_is_less(self):
        self.answer(OLDER, found=document(OLDER, "1.0", record("warn")))
        self.answer(NEWEST, 1, found=document(NEWEST, "2.0", record("fail")))
        self.assertEqual(self.fleet()[0], 0)
        self.assertEqual(
            page.explaining(record("warn"), [FINDING, FINDING | {"id": "numpy-y", "status": "warn"}]), ["numpy-y"]
        )

    def test_sparing_removes_what_was_fetched(self):
        self.answer_both()
        self.fleet("--sparing")
        newest, older = self.calls()
        self.assertTrue(older.endswith("state/cache"), older)
        self.assertFalse(newest.endswith("state/cache"), newest)
        self.assertFalse((self.folder / "state" / "cache").exists())

    def test_wrong_usage_of_the_command_is_no_result(self):
        self.answer(NEWEST, 2, "dlspec: no such subject\n")
        with self.assertRaisesRegex(RuntimeError, "no such subject"):
            self.fleet()

    def light(self):
        return self.fleet("--light")

    def test_the_light_part_is_held_to_its_baselines_and_counts(self):
        self.answer(NEWEST, 0, found=document(NEWEST, "2.0", record("pass")))
        self.assertEqual(self.light()[0], 0)
        self.assertEqual(len(self.calls()), 1, "older releases are not of the light part")
        self.answer(NEWEST, 0, found=document(NEWEST, "2.0", record("pass"), record("pass"), record("info")))
        status, printed = self.light()
        self.assertEqual(status, 1)
        self.assertIn("2 pass where 1 are expected, 1 info where 0 are expected", printed)
        for wrong in (1, 4):
            self.answer(NEWEST, wrong, "dlspec: it is so\n", found=document(NEWEST, "2.0", record("pass")))
            self.assertEqual(self.light()[0], 1)

    def test_counts_hold_for_one_interpreter(self):
        found = document(NEWEST, "2.0", record("pass"), record("pass"))
        found["subjects"][0]["interpreter"] = "CPython 3.13.1"
        self.answer(NEWEST, 0, found=found)
        self.assertEqual(self.light()[0], 0)

    def test_counts_are_recorded(self):
        self.answer(NEWEST, 0, found=document(NEWEST, "2.0", record("pass"), record("pass")))
        table = self.folder / "subjects.json"
        row = {"library": "numpy", "light": True, "pinned": "2.0", "beside": ["other==1"], "older": []}
        subjects.write_rows([row], table)
        light.record(str(self.bin / "dlspec"), [NEWEST], table)
        self.assertEqual(subjects.read_rows(table), [row | {"counts": {"pass": 2}}])
        self.answer(NEWEST, 4, "dlspec: stale\n", found=document(NEWEST, "2.0", record("pass")))
        with self.assertRaisesRegex(SystemExit, "stale"):
            light.record(str(self.bin / "dlspec"), [NEWEST], table)

    def test_what_is_installed_beside_a_pinned_release_is_pinned_too(self):
        with subjects.constraints(NEWEST) as environment:
            self.assertEqual(pathlib.Path(environment["UV_CONSTRAINT"]).read_text(), "other==1\n")
        with subjects.constraints(OLDER) as environment:
            self.assertEqual(environment, {})

    def news(self):
        known = store.Store(str(self.folder / "state"), str(self.folder / "build"))
        return news.news_of(known, NEWEST, str(self.folder / "news"))

    def test_a_new_release_is_news_and_no_failure(self):
        latest = Subject("numpy", "latest")
        self.answer(latest, 0, found=document(NEWEST, "2.0", record("pass")))
        self.assertEqual(self.news(), [])
        self.answer(latest, 1, found=document(NEWEST, "2.1", record("fail", rule="a.c", observed="bad\nmore")))
        self.answer(NEWEST, 1, found=document(NEWEST, "2.0", record("warn")))
        lines = self.news()
        self.assertEqual(lines[0], "numpy 2.1 is out; tests and figures are pinned to 2.0")
        self.assertEqual(lines[1], "  new   fail a.c, producer, as in producer/float32/c/x: bad")
        self.assertEqual(lines[2], "  gone  warn a.b, producer, as in producer/float32/c/x: seen")
        self.assertIn("proposed baseline", lines[3])
        self.assertEqual([line.split()[0] for line in self.calls()].count("numpy==2.0"), 1)
        self.assertEqual(self.news(), lines)
        self.assertEqual([line.split()[0] for line in self.calls()].count("numpy==2.0"), 0, "the fleet's own result")
        self.answer(latest, 3, "dlspec: it does not import\n", found=document(NEWEST, "2.1", record("blocked")))
        self.assertEqual(self.news(), ["numpy: the newest release was not judged: it does not import"])

    def test_a_deviation_is_kept_once_with_its_first_case(self):
        kept = judging.reduced(
            document(
                NEWEST, "2.0", record("fail", case="1"), record("fail", case="2"), record("fail", "other", case="3")
            )
        )
        self.assertEqual(
            [(each["observed"], each["cases"], each["case"]) for each in kept["deviations"]],
            [("seen", 2, "1"), ("other", 1, "3")],
        )

    def test_without_a_network_the_light_part_is_skipped_and_says_so(self):
        self.answer(
            NEWEST, 3, "dlspec: numpy==2.0: error: Failed to fetch\n", found=document(NEWEST, "", record("blocked"))
        )
        status, printed = self.light()
        self.assertEqual(status, light.SKIPPED)
        self.assertIn("skipped: numpy==2.0 cannot be fetched without a network", printed)
        self.answer(NEWEST, 3, "dlspec: it does not import\n")
        self.assertEqual(self.light()[0], 1)


if __name__ == "__main__":
    unittest.main()
