"""The operators, the list and its lint, without building anything."""

import os
import tempfile
import unittest

import listing
import operators


def wrongs(line, table=False):
    return {wrong.strip() for _, wrong in operators.mutations(line, table)}


class Operators(unittest.TestCase):
    def test_comparisons_move_by_one(self):
        self.assertIn("return count >= limit;", wrongs("  return count > limit;"))
        self.assertIn("return count < limit;", wrongs("  return count <= limit;"))

    def test_each_condition_is_dropped(self):
        found = wrongs("  return a && b(c, d) && !e;")
        self.assertLessEqual({"return b(c, d) && !e;", "return a && !e;", "return a && b(c, d);"}, found)

    def test_conditions_inside_brackets_stay_inside(self):
        found = wrongs("  if (a || (b && c)) return d;")
        self.assertLessEqual({"if ((b && c)) return d;", "if (a) return d;", "if (a || (b)) return d;"}, found)

    def test_a_condition_that_goes_on_in_the_next_line_is_cut_at_the_line(self):
        self.assertIn("return b ||", wrongs("  return a || b ||"))

    def test_an_early_return_is_dropped_or_always_taken(self):
        self.assertLessEqual({"if (false) return x;", "if (true) return x;"}, wrongs("  if (f(a, b)) return x;"))
        self.assertIn("", wrongs("  if (const auto x = f(); !x) return y;"))

    def test_bounds_move(self):
        self.assertIn("return bits % 8 == 1;", wrongs("  return bits % 8 == 0;"))
        self.assertIn(
            "constexpr std::uint64_t first_page = 4097;", wrongs("constexpr std::uint64_t first_page = 4096;")
        )

    def test_names_with_digits_and_texts_are_no_bounds(self):
        self.assertEqual(wrongs("  return f(std::uint64_t, value_2, \"at 64\", '8');"), set())

    def test_loops_stay_inside_their_range(self):
        found = wrongs("  for (std::size_t i = 0; i < n; ++i) {")
        self.assertEqual(found, {"for (std::size_t i = 1; i < n; ++i) {", "for (std::size_t i = 0; i + 1 < n; ++i) {"})

    def test_rows_are_left_out(self):
        self.assertEqual(wrongs("    checks::version_filled,"), {""})
        self.assertIn("b_rule,", wrongs("    a_rule, b_rule,"))

    def test_table_rows_get_other_versions_and_verdicts(self):
        self.assertIn(
            "DLSPEC_DTYPE_CODE(6, kDLBool, bool, 8, 0, 9)", wrongs("DLSPEC_DTYPE_CODE(6, kDLBool, bool, 8, 0, 8)", True)
        )
        self.assertIn('DLSPEC_FINDING(a_b, 1, warn, "x",', wrongs('DLSPEC_FINDING(a_b, 1, fail, "x",', True))

    def test_blocked_becomes_pass(self):
        self.assertIn("return plain_outcome(Kind::pass, text);", wrongs("  return plain_outcome(Kind::blocked, text);"))

    def test_comments_are_left_alone(self):
        self.assertEqual(wrongs("  // a < b && c, 64"), set())


class List(unittest.TestCase):
    def setUp(self):
        self.mutants = listing.load()

    def test_is_read_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mutants.txt")
            self.mutants[3]["survives"] = "because"
            listing.save(self.mutants, path)
            self.assertEqual(listing.load(path), self.mutants)

    def test_names_each_line_once_per_fault(self):
        keys = [listing.key(mutant) for mutant in self.mutants]
        self.assertEqual(len(keys), len(set(keys)))

    def test_a_fault_changes_its_line_only(self):
        mutant = next(mutant for mutant in self.mutants if mutant["nth"])
        text, number = listing.applied(mutant)
        before, after = listing.read(mutant["file"]), text.split("\n")
        self.assertEqual([i for i, pair in enumerate(zip(before, after)) if pair[0] != pair[1]], [number - 1])
        self.assertEqual(after[number - 1].strip(), mutant["wrong"])

    def test_lint_misses_a_line_that_is_gone(self):
        gone = self.mutants[0] | {"line": "if (this_never_stood_here) return;"}
        self.assertIn(f"{gone['file']}: the line is gone: {gone['line']}", listing.lint([gone] + self.mutants))

    def test_lint_misses_functions_and_rows_without_a_mutant(self):
        fewer = [mutant for mutant in self.mutants if mutant["function"] != "tensor_numel_no_overflow"
                 and "tensor_numel_no_overflow" not in mutant["breaks"]]  # fmt: skip
        self.assertEqual(
            sorted(listing.lint(fewer)),
            [
                "no mutant leaves out tensor_numel_no_overflow",
                "reference/validate/tensor.cc: no mutant in tensor_numel_no_overflow",
            ],
        )

    def test_lint_wants_thirty_faults_in_the_verdict_code(self):
        fewer = [mutant for mutant in self.mutants if not mutant["file"].startswith("conformance/")]
        self.assertTrue(any("30 are wanted" in fault for fault in listing.lint(fewer)))

    def test_lint_wants_reasons(self):
        self.mutants[0]["survives"] = " "
        self.assertTrue(any("without a reason" in fault for fault in listing.lint(self.mutants)))


class ChosenByHand(unittest.TestCase):
    def setUp(self):
        self.mutants = listing.load(listing.REARRANGE)

    def test_fits_the_sources_and_has_every_kind(self):
        self.assertEqual(listing.lint_rearrange(self.mutants), [])
        self.assertGreaterEqual(len(self.mutants), 20)

    def test_lint_misses_a_line_that_is_gone(self):
        gone = self.mutants[0] | {"line": "if (this_never_stood_here) return;"}
        self.assertEqual(
            listing.lint_rearrange([gone] + self.mutants[1:]), [f"{gone['file']}: the line is gone: {gone['line']}"]
        )

    def test_lint_misses_a_kind_and_a_fault(self):
        kinds = [mutant for mutant in self.mutants if not mutant["breaks"].startswith("sign: ")]
        self.assertEqual(listing.lint_rearrange(kinds), ['no fault of the kind "sign"'])
        self.assertIn("only 19 faults, 20 are wanted", listing.lint_rearrange(self.mutants[:19]))
        self.assertIn(
            '"luck" is no kind of fault',
            listing.lint_rearrange([*self.mutants, self.mutants[0] | {"breaks": "luck: none"}]),
        )

    def test_no_reason_saves_a_survivor(self):
        self.mutants[0]["survives"] = "because"
        self.assertTrue(any("must be killed" in fault for fault in listing.lint_rearrange(self.mutants)))

    def test_says_which_processors_run_what(self):
        needs = {mutant["file"]: mutant.get("needs") for mutant in self.mutants}
        self.assertEqual(needs["optimized/rearrange/cpu/programs.inc"], "avx512vbmi")
        self.assertIsNone(needs["optimized/rearrange/cpu/runs.inc"])


if __name__ == "__main__":
    unittest.main()
