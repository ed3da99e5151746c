"""The night with parts that take no time: units, resuming, failures, exit statuses."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from unittest import mock

import nightly
import nightly_checks
import nightly_parts
import nightly_products
import nightly_releases
import nightly_units
from nightly_units import Failure, Part


class Night(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.ran = []

    def count(self, unit):
        self.ran.append(unit.number)
        return {"things": unit.facts.get("things", 0) + 10}

    def night(self, parts, *arguments, commit="c1"):
        printed = io.StringIO()
        with (
            mock.patch.object(nightly_parts, "PARTS", parts),
            mock.patch.object(nightly_units, "prepare"),
            mock.patch.object(nightly, "commit", lambda: commit),
            contextlib.redirect_stdout(printed),
        ):
            status = nightly.main([*arguments, "--state", self.folder])
        return status, printed.getvalue()

    def expect(self, facts, run, module, name, answer, number=0, known=()):
        """What the part gives where the module's function answers so; None: it fails."""
        unit = nightly_units.Unit(nightly.ROOT, number, 1, dict(known), 60, print)
        with mock.patch.object(module, name, lambda *_, **__: answer):
            if facts is None:
                self.assertRaises(Failure, run, unit)
            else:
                self.assertEqual(run(unit), facts)

    def test_every_unit_runs_once_and_is_counted(self):
        status, printed = self.night((Part("a", "", 3, self.count),))
        self.assertEqual((status, self.ran), (0, [0, 1, 2]))
        self.assertRegex(printed, r"passed +a +3/3 .*30 things")
        self.assertEqual(self.night((Part("a", "", 3, self.count),))[0], 0)
        self.assertEqual(self.ran, [0, 1, 2], "what is done is not done again")

    def test_a_failure_ends_its_part_alone_and_is_tried_again(self):
        def fail_at_1(unit):
            if unit.number == 1 and len(self.ran) < 2:
                self.ran.append("failed")
                raise Failure("it broke")
            return self.count(unit)

        parts = (Part("a", "", 2, fail_at_1), Part("b", "", 1, self.count))
        status, printed = self.night(parts)
        self.assertEqual((status, self.ran), (1, [0, "failed", 0]))
        self.assertRegex(printed, r"FAILED +a +1/2 .*it broke")
        self.assertRegex(printed, r"passed +b")
        self.assertEqual(self.night(parts)[0], 0)
        self.assertEqual(self.ran, [0, "failed", 0, 1])

    def test_no_unit_starts_after_the_time(self):
        status, printed = self.night((Part("a", "", 3, self.count),), "--minutes", "0")
        self.assertEqual((status, self.ran), (0, []))
        self.assertIn("not finished", printed)

    def test_an_unfinished_unit_runs_again(self):
        def twice(unit):
            self.ran.append(unit.number)
            return {"unfinished": True} if len(self.ran) == 1 else {}

        self.assertEqual(self.night((Part("a", "", 1, twice),))[0], 0)
        self.assertEqual(self.ran, [0, 0])

    def test_only_runs_the_named_part_and_another_commit_or_again_begin_anew(self):
        parts = (Part("a", "", 1, self.count), Part("b", "", 1, lambda unit: self.ran.append("b")))
        self.night(parts, "--only", "b")
        self.assertEqual(self.ran, ["b"])
        self.assertIn("begins anew", self.night(parts, "--only", "b", commit="c2")[1])
        self.night(parts, "--only", "b", "--again", commit="c2")
        self.assertEqual(self.ran, ["b"] * 3)

    def test_a_part_that_cannot_run_here_is_skipped_with_its_reason(self):
        status, printed = self.night((Part("a", "", 1, self.count, lambda root: "no compiler"),))
        self.assertEqual((status, self.ran), (0, []))
        self.assertRegex(printed, r"skipped +a .*no compiler")

    def test_list_runs_nothing(self):
        self.assertIn("does things", self.night((Part("a", "does things", 1, self.count),), "--list")[1])
        self.assertEqual(self.ran, [])

    def test_documents_are_compared_but_for_times_and_host(self):
        def document(**fields):
            path = os.path.join(self.folder, "document.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"host": {"cpu": 1}, "results": [1], "summary": {"fail": 1}} | fields, file)
            return nightly_checks.document_hash(path)

        self.assertEqual(document(), document(host={"cpu": 2}))
        self.assertNotEqual(document(), document(results=[2]))
        self.assertRaises(Failure, document, results=[], summary={"fail": 0})

    def test_every_part_has_units_and_its_targets(self):
        self.assertEqual(
            [part.name for part in nightly_parts.PARTS],
            [
                "style",
                "wheel",
                "platforms",
                "recipes",
                "rust",
                "slurm",
                "clean",
                "samples",
                "odd",
                "mutants",
                "faults",
                "small_world",
                "libfuzzer",
                "proofs",
                "reach",
                "builtin",
                "numpy",
                "history",
                "fleet",
                "news",
                "matrix",
                "reproducers",
            ],
        )
        parts = {part.name: part for part in nightly_parts.PARTS}
        self.assertEqual(parts["clean"].units * nightly_checks.CLEAN_PER_UNIT, 1_000_000_000)
        self.assertEqual(parts["builtin"].units * nightly_checks.RUNS_PER_UNIT, 1000)
        self.assertIn("validate", nightly_checks.fuzz_targets(nightly.ROOT))

    def test_a_count_that_is_not_printed_is_a_failure(self):
        line = (
            f"{nightly_checks.CLEAN_PER_UNIT} conforming tensors from 0 on, seed 1, "
            "judged by reference and optimized: 0 false alarms"
        )
        for printed, counts in (
            (line, [nightly_checks.CLEAN_PER_UNIT]),
            (line.replace("0000 con", "000 con"), None),
            (line.replace("reference and ", ""), None),
            ("", None),
        ):
            self.expect(
                counts, lambda unit: list(nightly_checks.run_clean(unit).values()), nightly_units, "call", printed
            )

    def test_a_system_that_is_skipped_is_counted_and_one_that_fails_fails(self):
        line = "x86_64-macos: 9 of {} sources compile\n"
        for number, printed, facts in (
            (0, line.format(9), {"sources that compile for macOS": 9}),
            (0, line.format(10), None),
            (1, "dlspec 0.1.0: 7 pass, 1 unsupported\n", {"musl: cases of builtin that pass": 7}),
            (1, "", None),
            (2, "check-platforms: skipped: no qemu\n", {"systems skipped": 1}),
        ):
            self.expect(facts, nightly_products.run_platform, nightly_units, "call", printed, number)

    def test_parts_that_are_another_run_are_a_failure(self):
        line = "dlspec 0.1.0: 7 pass\n"
        for number, printed, digests, facts in (
            (0, line, "aa", {"cases of builtin that pass in parts": 7}),
            (0, line, "ab", None),
            (0, "dlspec: shard 2/4 of builtin is missing\n", "aa", None),
            (1, line, "", {"parts of a search": 2}),
        ):
            with mock.patch.object(nightly_products, "digest", side_effect=list(digests)):
                self.expect(facts, nightly_products.run_slurm, nightly_units, "call", printed, number)

    def test_a_unit_of_the_small_world_that_compares_too_little_is_a_failure(self):
        share = nightly_checks.SMALL_WORLD_SHARE * nightly_checks.SMALL_WORLD_UNITS
        line = "{} layouts, of the {} of rank 4 one of {} drawn by seed 1, unit 3 of 20: 16 copies, 0 differences"
        for printed, facts in (
            (line.format(1000, 1000 * share, 10), {"layouts of rank 4": 1000, "of": 1000 * share, "copies": 24}),
            (line.format(980, 1000 * share, 10), None),
            (line.format(1000, 1000 * share, 11), None),
            ("", None),
        ):
            self.expect(facts, nightly_checks.run_small_world, nightly_units, "call", printed, 3, {"copies": 8})

    def test_a_pair_fails_by_what_no_finding_explains_and_by_what_was_not_judged(self):
        module = nightly_releases.pairs()
        first = module.read_pairs()[0][0].text
        good, skipped = {"results": [], "summary": {"pass": 1}}, {"results": [], "summary": {"skipped": 9}}
        failing = good | {
            "results": [
                {
                    "status": "crash",
                    "rule": "managed.borrow",
                    "producer": first,
                    "consumer": first,
                    "case": "c",
                    "observed": "seen",
                }
            ]
        }
        for answer, facts in (
            ((good, ""), {"pairs that exchanged arrays": 1}),
            ((skipped, "no GPU"), {"pairs skipped": 2}),
            ((good, "not installed"), None),
            ((failing, ""), None),
        ):
            self.expect(facts, nightly_releases.run_matrix, module, "judge", answer, known={"pairs skipped": 1})

    def test_a_self_test_that_says_nothing_is_a_failure(self):
        line = "3 rules: 5 faulty subjects and 2 twins in workers; 1 faulty structs\n"
        for printed, facts in ((line, {"faulty subjects": 5, "twins": 2}), ("", None)):
            self.expect(facts, nightly_checks.run_samples, nightly_units, "call", printed)

    def test_surviving_mutants_are_a_failure_and_untried_ones_are_not(self):
        def is_unfinished(unit):
            return "unfinished" in nightly_checks.run_mutants(unit)

        figures = (
            "reference: 9 mutants, 8 killed, 0 survive and are explained, {} survive, 0 do not compile, {} not tried\n"
        )
        for printed, unfinished in (
            (figures.format(0, 0), False),
            (figures.format(0, 1), True),
            (figures.format(1, 0) + "  survived: x", None),
            ("", None),
        ):
            self.expect(unfinished, is_unfinished, nightly_units, "call", printed)


if __name__ == "__main__":
    unittest.main()
