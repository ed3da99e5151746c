"""The operators, the lists and their lint, without building anything."""

import os
import tempfile
import unittest

import lint
import listing
import lists
import operators
import places


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

        self.assertEqual(
            wrongs("DLSPEC_INFINI_DTYPE(3, I8, 1, int8, kDLInt, 8, exact)", True),
            {"DLSPEC_INFINI_DTYPE(3, I8, 2, int8, kDLInt, 8, exact)",
             "DLSPEC_INFINI_DTYPE(3, I8, 1, int8, kDLInt, 16, exact)"},
        )  # fmt: skip

    def test_codes_that_are_passed_to_a_function_change(self):
        self.assertEqual(wrongs("  return f(subject, kDLBool, x);"), {"return f(subject, kDLInt, x);"})
        self.assertEqual(wrongs("  return f(kDLInt);"), {"return f(kDLUInt);"})

    def test_blocked_becomes_pass(self):
        self.assertIn("return plain_outcome(Kind::pass, text);", wrongs("  return plain_outcome(Kind::blocked, text);"))

    def test_comments_are_left_alone(self):
        self.assertEqual(wrongs("  // a < b && c, 64"), set())


class Made(unittest.TestCase):
    """The mutants of the sources."""

    def setUp(self):
        self.mutants = listing.make()

    def test_each_fault_of_a_line_is_listed_once(self):
        keys = [listing.key(mutant) for mutant in self.mutants]
        self.assertEqual(len(keys), len(set(keys)))

    def test_a_fault_changes_its_line_only(self):
        mutant = next(mutant for mutant in self.mutants if mutant["nth"])
        text, number = listing.applied(mutant)
        before, after = places.read(mutant["file"]), text.split("\n")
        self.assertEqual([i for i, pair in enumerate(zip(before, after)) if pair[0] != pair[1]], [number - 1])
        self.assertEqual(after[number - 1].strip(), mutant["wrong"])

    def test_lint_misses_functions_and_rows_without_a_mutant(self):
        fewer = [mutant for mutant in self.mutants if mutant["function"] != "tensor_numel_no_overflow"
                 and "tensor_numel_no_overflow" not in mutant["breaks"]]  # fmt: skip
        self.assertEqual(
            sorted(lint.of_mutants(fewer)),
            [
                "no mutant leaves out tensor_numel_no_overflow",
                "reference/validate/tensor.cc: no mutant in tensor_numel_no_overflow",
            ],
        )

    def test_lint_wants_as_many_mutants_as_each_group_had(self):
        for group, (_, least) in listing.GROUPS.items():
            mutants = [mutant for mutant in self.mutants if listing.group_of(mutant["file"]) == group]
            self.assertTrue(
                any(f"at least {least} are wanted" in fault for fault in lint.of_mutants(mutants[: least - 1])), group
            )


class Places(unittest.TestCase):
    """Code is found however it is formatted."""

    SOURCE = """\
int f(int first, int second) {
  if (first < 0 ||  // none
      second < 0) {
    return 1;
  }
  int max = 1;
  x = 1;  // the second
  return call(first,
              second);
}
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "source.cc")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.SOURCE)
        self.lines = self.SOURCE.split("\n")

    def test_white_space_line_breaks_and_comments_do_not_count(self):
        self.assertEqual(places.find(self.path, "return call(first, second);"), [(7, 2, 8, 22)])
        self.assertEqual(places.find(self.path, "if (first < 0 || second < 0) {  // both"), [(1, 2, 2, 19)])
        self.assertEqual(places.find(self.path, "second<0) {"), [(2, 6, 2, 19)], "a part of a statement")

    def test_what_ends_with_the_code_is_another_line(self):
        self.assertEqual(places.find(self.path, "x = 1;"), [(6, 2, 6, 8)])
        self.assertEqual(places.find(self.path, "ax = 1;"), [])

    def test_a_fault_replaces_all_lines_of_the_code(self):
        mutant = {"file": self.path, "line": "return call(first, second);", "nth": 0, "wrong": "return 0;"}
        text, number = listing.applied(mutant)
        self.assertEqual(number, 8)
        self.assertIn("the second\n  return 0;\n}", text)

    def test_a_statement_is_one_line_however_it_is_wrapped(self):
        self.assertEqual(places.statement_text(self.lines, 8), "return call(first, second);")
        self.assertEqual(places.statement_text(self.lines, 1, "if (first <= 0 ||"), "if (first <= 0 || second < 0) {")
        self.assertEqual(places.statement_text(self.lines, 6), "x = 1;")


class Survivors(unittest.TestCase):
    ENTRIES = """\
file a.cc
in f
  breaks 1 becomes 2
    code x = g(1,
    wrong x = g(2,  3);
    because nothing reads it
  breaks the case is left out
    code case 1:
    wrong
    because there is no such case
in h
  breaks 0 becomes 1
    code y = 0;
    wrong y = 1;
    because
"""

    def survivors(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "survivors.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return lists.load_survivors(path)

    def test_entries_are_read_with_their_file_and_function(self):
        survivors = self.survivors(self.ENTRIES)
        self.assertEqual(
            [(each["file"], each["in"], each["breaks"], each["because"]) for each in survivors.values()],
            [
                ("a.cc", "f", "1 becomes 2", "nothing reads it"),
                ("a.cc", "f", "the case is left out", "there is no such case"),
                ("a.cc", "h", "0 becomes 1", ""),
            ],
        )
        self.assertIn(("a.cc", "f", "1 becomes 2", "x=g(1,", "x=g(2,3);"), survivors)

    def test_an_unknown_word_is_an_error(self):
        self.assertRaises(ValueError, self.survivors, "file a.cc\nline x = 1;\n")

    def test_every_entry_explains_a_mutant_of_its_own(self):
        mutants, survivors = listing.make(), lists.load_survivors()
        self.assertEqual(lists.explain(mutants, survivors), [])
        self.assertEqual(sum("survives" in mutant for mutant in mutants), len(survivors))
        self.assertEqual(lint.of_survivors(survivors, []), [])

    def test_lint_misses_reasons_and_mutants(self):
        survivors = self.survivors(self.ENTRIES)
        left = lists.explain([], survivors)
        self.assertEqual(len(left), 3)
        faults = lint.of_survivors(survivors, left)
        self.assertEqual(sum("no mutant of a.cc fits" in fault for fault in faults), 3)
        self.assertIn("survivors.txt: no reason: a.cc, in h, 0 becomes 1: y = 0;", faults)

    def test_the_printed_entry_of_a_mutant_explains_it(self):
        mutants = listing.make()
        for mutant in (mutants[0], next(each for each in mutants if not each["wrong"])):
            text = lists.survivor_text(mutant)
            text += ("" if "\n    wrong" in text else "\n    wrong") + "\n    because of this\n"
            self.assertEqual(list(self.survivors(text)), [lists.survivor_key(mutant)])


class ChosenByHand(unittest.TestCase):
    def setUp(self):
        self.mutants = lists.load_rearrange()

    def test_fits_the_sources_and_has_every_kind(self):
        self.assertEqual(lint.of_rearrange(self.mutants), [])
        self.assertGreaterEqual(len(self.mutants), 20)

    def test_lint_misses_a_line_that_is_gone(self):
        gone = self.mutants[0] | {"line": "if (this_never_stood_here) return;"}
        self.assertEqual(
            lint.of_rearrange([gone] + self.mutants[1:]), [f"{gone['file']}: the line is gone: {gone['line']}"]
        )

    def test_lint_misses_a_kind_and_a_fault(self):
        kinds = [mutant for mutant in self.mutants if not mutant["breaks"].startswith("sign: ")]
        self.assertEqual(lint.of_rearrange(kinds), ['no fault of the kind "sign"'])
        self.assertIn("only 19 faults, 20 are wanted", lint.of_rearrange(self.mutants[:19]))
        self.assertIn(
            '"luck" is no kind of fault',
            lint.of_rearrange([*self.mutants, self.mutants[0] | {"breaks": "luck: none"}]),
        )

    def test_no_reason_saves_a_survivor(self):
        self.assertNotIn("because", lists.REARRANGE_WORDS)
        self.assertNotIn("survives", lists.REARRANGE_WORDS)

    def test_says_which_processors_run_what(self):
        needs = {mutant["file"]: mutant.get("needs") for mutant in self.mutants}
        self.assertEqual(needs["optimized/rearrange/cpu/kernels/byte_shuffles.h"], "avx512vbmi")
        self.assertIsNone(needs["optimized/rearrange/cpu/kernels/runs.h"])


if __name__ == "__main__":
    unittest.main()
