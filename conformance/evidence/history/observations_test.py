"""Rows that say what no script printed, and verdicts without a reason, are named."""

import json
import pathlib
import sys
import tempfile
import unittest

import observations
import observe
import reproduce
import script
import verdicts

ROW = {
    "id": "x",
    "package": "numpy",
    "version": "1.0",
    "role": "producer",
    "rule": "python.copy-true",
    "status": "fail",
    "what": "It raises ValueError. From 2.0 on it raises BufferError.",
    "why": "The text.",
    "gone": "2.0",
    "script": {"template": "export-wrong-error"},
}
SEEN = {
    "newest": {"numpy": "3.0"},
    "observed": {
        "x": {
            "1.0": {"fault": True, "printed": "ValueError('no')"},
            "2.0": {"fault": False, "printed": "BufferError('no')"},
            "3.0": {"fault": False, "printed": "BufferError('no')"},
        }
    },
}

MARK = observations.mark(script.make(ROW))


def told(row=None, store=None, **changed):
    """The complaints about the row, or the store, with these keys changed."""
    row = {**ROW, **(row or {})}
    store = json.loads(json.dumps(SEEN))
    for each in store["observed"]["x"].values():
        each["script"] = MARK
    for version, observed in changed.items():
        store["observed"]["x"][version.replace("_", ".").lstrip("v")] = {"script": MARK, **observed}
    return list(observations.complaints([{key: row[key] for key in row if row[key] is not None}], store))


class ObservationsTest(unittest.TestCase):
    def test_a_row_that_agrees(self):
        self.assertEqual(told(), [])

    def test_what_was_never_tried(self):
        self.assertEqual(told({"version": "0.9"})[0], "x: never tried on 0.9; run observe.py")
        self.assertIn("never tried on 2.5", told({"what": ROW["what"] + " So also in 2.5."})[0])
        self.assertIn("nobody said which release of torch", told({"package": "torch"})[0])

    def test_an_exception_that_was_not_raised(self):
        (wrong,) = told({"what": "It raises TypeError. From 2.0 on it raises BufferError."})
        self.assertTrue(wrong.startswith("x: TypeError was not seen on 1.0"))
        (wrong,) = told({"what": "It raises ValueError. From 2.0 on it raises KeyError."})
        self.assertTrue(wrong.startswith("x: KeyError was not seen on 2.0"))

    def test_where_it_is_gone(self):
        self.assertIn("has it no more", told({"gone": None})[0])
        self.assertIn("`what` does not name 2.0", told({"what": "It raises ValueError."})[0])
        there = {"fault": True, "printed": "ValueError('no') BufferError"}
        self.assertIn("the script shows it there or on 3.0", told(v3_0=there)[0])
        self.assertIn("the script shows it there", told(v2_0=there)[0])
        self.assertIn("does not show it on 1.0", told(v1_0={"fault": False, "printed": "ValueError"})[0])
        self.assertIn("does not show it on 1.0", told(v1_0={"fault": None, "printed": "ValueError"})[0])
        untried = {"fault": None, "printed": "ImportError"}
        self.assertIn("cannot be tried on 3.0", told({"gone": None}, v3_0=untried)[0])

    def test_a_script_that_was_changed(self):
        (wrong,) = told(v2_0={"fault": False, "printed": "BufferError('no')", "script": "another"})
        self.assertEqual(wrong, "x: its script was changed after it was run on 2.0; run observe.py")
        self.assertNotEqual(MARK, observations.mark(script.make({**ROW, "package": "torch"})))

    def test_an_observation_without_a_row(self):
        self.assertEqual(
            list(observations.complaints([], SEEN)), ["x: observed, and no row of faults.json with a script"]
        )

    def test_versions_and_sentences(self):
        text = "As in `f(1.2)` of the edition 2021.12, kDLBool (1.0) aside. So in 0.1.15.post2 and 2.4.0; 3.1 has none."
        self.assertEqual(observations.versions_in(text), ["0.1.15.post2", "2.4.0", "3.1"])
        self.assertEqual(len(observations.sentences(text)), 3)

    def test_what_differs_from_run_to_run_is_left_out(self):
        text = "data 0x55d825855bf0\nsee /usr/lib/x.so\n\nThe fault is there.\n"
        self.assertEqual(observe.spoken(text, 1), "data 0x… see …/x.so")
        self.assertEqual(observe.spoken("", -11), "ended by signal 11")
        self.assertEqual(len(observe.spoken("a" * 1000, 1)), observe.LONGEST)


class RunTest(unittest.TestCase):
    """An exception of the script's own ends it with 1 as well, and shows nothing."""

    SCRIPTS = (
        ("print('seen')\nprint('The fault is there.')\nraise SystemExit(1)", True, "seen"),
        ("print('seen')\nprint('The fault is not there.')", False, "seen"),
        ("print('seen')\nraise KeyError(5)", None, "KeyError: 5"),
        ("raise SystemExit(2)", None, ""),
        ("import os\nos.kill(os.getpid(), 9)", True, "ended by signal 9"),
    )

    def test_what_a_script_shows(self):
        for text, fault, printed in self.SCRIPTS:
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                self.assertEqual(observe.run_script(sys.executable, text), {"fault": fault, "printed": printed})
                path = pathlib.Path(folder) / "script.py"
                path.write_text(text, encoding="utf-8")
                self.assertEqual(reproduce.run_script(sys.executable, path) == "", fault is True)


class VerdictsTest(unittest.TestCase):
    RULES = verdicts.rules()

    def wrong(self, **changed):
        return list(verdicts.complaints({**ROW, **changed}, self.RULES))

    def test_every_rule_is_read(self):
        text = verdicts.RULES.read_text(encoding="utf-8")
        self.assertEqual(len(self.RULES), sum(line.startswith("DLSPEC_RULE(") for line in text.splitlines()))

    def test_the_rule_binds_the_role(self):
        self.assertEqual(self.wrong(), [])
        self.assertEqual(self.wrong(rule="python.no-such"), ["x: there is no rule python.no-such"])
        self.assertEqual(
            self.wrong(also=["python.copy-forwarded"]),
            ["x: python.copy-forwarded binds the consumer, not the producer"],
        )

    def test_a_milder_verdict_says_why(self):
        self.assertIn("the row warn", self.wrong(status="warn")[0])
        self.assertEqual(self.wrong(status="warn", why="NumPy does not claim that standard: a warning."), [])
        claim = "NumPy does not claim that standard: a warning."
        self.assertIn("no rule of the array API", self.wrong(rule="managed.borrow", status="warn", why=claim)[0])

    def test_one_behaviour_has_one_verdict(self):
        mild = {**ROW, "id": "y", "status": "warn"}
        self.assertEqual(len(list(verdicts.differing([ROW, mild]))), 1)
        self.assertEqual(list(verdicts.differing([ROW, {**mild, "why": "It is harmless: a warning."}])), [])
        self.assertEqual(list(verdicts.differing([ROW, {**mild, "role": "consumer"}])), [])


if __name__ == "__main__":
    unittest.main()
