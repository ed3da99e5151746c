#!/usr/bin/env python3
"""The generator of conditional faults: the tables agree, and a subject is faulty exactly while its condition holds.

conditional_test.py BUILD [SHARE]

SHARE: I/N, that part of the plan is asked where the whole plan is, which `bash fuzz/nightly` does.
"""

import pathlib
import re
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
SHARE = ("--shard", sys.argv.pop(1)) if len(sys.argv) > 1 else ()
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "python")]

import measure  # noqa: E402
import predicates  # noqa: E402
import rows  # noqa: E402
import warm  # noqa: E402
import zoo_rules  # noqa: E402

# Subject, condition, the cases that are asked (glob), and those of them in which the condition holds (pattern).
SWITCHED = (
    ("producer_fields.Altered:no lanes", "int16", "producer/*/c/max_version=1.3", "/int16/"),
    (
        "producer_fields.Altered:cpu 1",
        "legacy",
        "producer/float32/c/{plain,max_version=*}",
        "/(plain|max_version=(none|0.8))$",
    ),
    (
        "doubles.Array:null strides",
        "offset",
        "producer/int8/*/max_version=1.3",
        r"/(\w*offset1?|\w*negative\w*|sliced|mixed|one)/",
    ),
    ("doubles.Consumer:never released", "readonly", "consumer/float32/*/versioned", r"/readonly\w*/"),
    (
        "doubles.Consumer:byte_offset ignored",
        "eight-bytes",
        "consumer/*/offset/versioned",
        "(int64|float64|complex64)/",
    ),
    ("exchange_producers.Tables:released twice", "int16", "producer/*/c/table-import", "/int16/"),
    ("plugin:makes no lanes", "int16", "producer/*/c/versioned", "/int16/"),
    ("plugin:never releases", "readonly", "consumer/float32/*/versioned", r"/readonly\w*/"),
)


def findings(subject, condition, cases):
    """The cases in which a rule that names the fault is reported, of those that match."""
    document, _, _ = measure.document_of(BUILD, subject, condition, ("--case", cases))
    _, meant = zoo_rules.facts(subject, condition)
    found = [each for each in document["results"] if each["status"] in measure.FINDINGS]
    return {each["case"] for each in found if each["rule"] in meant}


class Switching(unittest.TestCase):
    def test_faulty_while_the_condition_holds_and_clean_otherwise(self):
        for subject, condition, cases, where in SWITCHED:
            with self.subTest(subject=subject, condition=condition):
                always = findings(subject, "always", cases)
                inside = {case for case in always if re.search(where, case)}
                self.assertGreater(len(always), len(inside), "some case is outside of the condition")
                self.assertEqual(findings(subject, condition, cases), inside)
                self.assertEqual(findings(subject, "never", cases), set())

    def test_faulty_through_the_table_alone(self):
        subject, cases = "producer_fields.Altered:cpu 1", "producer/float32/c/{max_version=1.3,table-export}"
        self.assertEqual(findings(subject, "table", cases), {"producer/float32/c/table-export"})
        self.assertEqual(findings(subject, "always", cases), {"producer/float32/c/max_version=1.3"})


class Warm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.loaded = warm.Warm(BUILD, SHARE)

    def test_a_fork_finds_what_the_command_finds(self):
        for subject, condition in (
            ("producer_fields.Altered:no lanes", "int16"),
            ("process_faults.Straying:one byte beyond", "vector"),
        ):
            with self.subTest(subject=subject, condition=condition):
                role, meant = zoo_rules.facts(subject, condition)
                document, _, met = measure.document_of(BUILD, subject, condition, SHARE)
                judged = self.loaded.judge(subject, condition, role)
                self.assertEqual((set(judged.found), judged.met), (measure.found_in(document), met))
                self.assertTrue(judged.met and set(meant) & set(judged.found))

    def test_a_twin_is_not_blamed(self):
        for subject, role in (("doubles.Array:device list", "producer"), ("doubles.Consumer:copies", "consumer")):
            self.assertEqual(self.loaded.judge(subject, "never", role), ({}, False, ""), subject)

    def test_it_stops_at_the_rule_that_was_meant(self):
        asked = ("doubles.Consumer:never released", "readonly", "consumer")
        self.assertIn("managed.deleter-once", self.loaded.judge(*asked, ("managed.deleter-once",)).found)


class Tables(unittest.TestCase):
    def test_as_many_as_were_asked_for(self):
        found = list(rows.combinations())
        self.assertGreaterEqual(len({subject for subject, _ in found}), 60)
        self.assertGreaterEqual(len(predicates.PREDICATES), 12)
        self.assertGreaterEqual(len(found), 60 * 12)

    def test_every_subject_is_one_of_the_zoo_with_conditions_left(self):
        found = list(rows.combinations())
        for subject, _ in rows.ROWS:
            with self.subTest(subject=subject):
                self.assertIn(subject, zoo_rules.zoo_rows())
                self.assertTrue([pair for pair in found if pair[0] == subject])

    def test_every_tag_is_used_and_names_conditions(self):
        used = {
            tag for subject, tags in rows.ROWS for tag in rows.tags_of(subject, tags, zoo_rules.zoo_rows()[subject][1])
        }
        self.assertEqual(used, set(rows.TAGS))
        for conditions, _ in rows.TAGS.values():
            self.assertLessEqual(set(conditions), set(predicates.PREDICATES))

    def test_plug_ins_know_the_conditions_that_they_are_put_under(self):
        table = (HERE.parent / "zoo" / "plugin" / "conditions.cc").read_text(encoding="utf-8")
        known = set(re.findall(r'^    \{"([\w-]+)", \[\]', table, re.MULTILINE))
        asked = {condition for subject, condition in rows.combinations() if subject.startswith("plugin:")}
        self.assertEqual(known, asked | set(predicates.CONTROLS))

    def test_reasons_name_subjects_and_conditions(self):
        for reason in measure.reasons():
            with self.subTest(reason=reason):
                self.assertEqual(len(reason), 3)
                pairs = [measure.Row(*pair, *[None] * 4) for pair in rows.combinations()]
                self.assertTrue([pair for pair in pairs if measure.explains(reason, pair)])


if __name__ == "__main__":
    unittest.main()
