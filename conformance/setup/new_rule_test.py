"""new-rule on a copy of the files that it writes."""

import ast
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = (
    "CMakeLists.txt",
    "reference/vocabulary",
    "reference/validate",
    "reference/testing",
    "conformance/plan",
    "conformance/evidence/census.json",
    "conformance/worker/python/dlspec_worker",
    "conformance/selfcheck/zoo/python",
)


def left_to_fill_in(texts):
    """The lines that new-rule left to its caller, in files of this tree."""
    for path, text in sorted(texts.items()):
        for number, line in enumerate(text.split("\n"), 1):
            if re.search(r"\bTODO\b", line) and "_test." not in path:
                yield f"{path}:{number}: {line.strip()}"


class NewRule(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path in COPIED:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / path).is_dir():
                shutil.copytree(ROOT / path, self.root / path, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / path, self.root / path)
        (self.root / "conformance/evidence/pages/rules").mkdir(parents=True)
        self.before = self.texts()

    def texts(self):
        return {
            path.relative_to(self.root).as_posix(): path.read_text(encoding="utf-8")
            for path in self.root.rglob("*")
            if path.is_file()
        }

    def new_rule(self, *arguments):
        command = [sys.executable, "-B", ROOT / "conformance/setup/new-rule", *arguments, "--root", self.root]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def changed(self):
        after = self.texts()
        return {path: text for path, text in after.items() if self.before.get(path) != text}

    def written(self, *arguments):
        done = self.new_rule(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        changed = self.changed()
        for path in changed:
            self.assertIn(f"  {path}\n", done.stdout)
        return changed

    def refused(self, because, *arguments):
        done = self.new_rule(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, because)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(self.changed(), {})

    def test_a_struct_rule_gets_its_rows_a_check_a_faulty_struct_and_a_page(self):
        changed = self.written("flags.example", "--struct", "--title", "An example", "--source", "dlpack.h v1.2, flags")
        self.assertEqual(
            set(changed),
            {
                "reference/vocabulary/rules.def",
                "reference/vocabulary/finding.def",
                "reference/validate/flags.cc",
                "reference/validate/checks.h",
                "reference/validate/validate.cc",
                "reference/testing/faulty.def",
                "conformance/plan/stimuli.def",
                "reference/vocabulary/ids.txt",
                "conformance/evidence/pages/rules/flags.example.md",
            },
        )
        rules = changed["reference/vocabulary/rules.def"]
        ids = re.findall(r'^DLSPEC_RULE\(\w+, "([^"]+)"', rules, re.M)
        self.assertEqual(ids[ids.index("flags.example") + 1].split(".")[0], "capsule", "the end of its group")
        stimulus = 'DLSPEC_STIMULUS(flags_example, "every export", "producer:max_version=1.3", "")\n\n// --- capsule\n'
        self.assertIn(stimulus, changed["conformance/plan/stimuli.def"])
        self.assertIn("DLSPEC_FINDING(flags_example, 0, fail,", changed["reference/vocabulary/finding.def"])
        self.assertIn("Answer flags_example(const Subject& subject) {", changed["reference/validate/flags.cc"])
        after_the_last = (
            'DLSPEC_NUMBERS(flags_padded_set_when_padded, "clear", -1, 4, 0)\nDLSPEC_FAULTY(flags_example, '
        )
        self.assertIn(after_the_last, changed["reference/testing/faulty.def"])
        self.assertRegex(changed["reference/testing/faulty.def"], r'\(flags_example, 0, "TODO"')
        self.assertIn("**An example.**", changed["conformance/evidence/pages/rules/flags.example.md"])
        longest = max(len(line) for text in changed.values() for line in text.split("\n") if "example" in line)
        self.assertLessEqual(longest, 120)

    def test_a_rule_of_the_protocol_gets_a_case_its_stub_and_an_exhibit(self):
        for kind, group in (("producer", "python"), ("consumer", "managed")):
            with self.subTest(kind):
                self.setUp()
                changed = self.written(f"{group}.one-example", f"--{kind}", "--level", "should")
                self.assertEqual(len(changed), 7, "four files by hand; the id, the stimulus and the page")
                stimulus = f'DLSPEC_STIMULUS({group}_one_example, "one example", "{kind}:one-example", "")'
                self.assertIn(stimulus, changed["conformance/plan/stimuli.def"])
                self.assertIn(f'"{group}.one-example"', changed["reference/vocabulary/rules.def"])
                row = f'DLSPEC_VARIANT({kind}, "one-example", python, plain, ("float32"), ("c"), {group}_one_example'
                self.assertIn(row, changed["conformance/plan/variants.def"])
                modules = {path: text for path, text in changed.items() if path.endswith(".py")}
                self.assertEqual(len(modules), 2)
                for path, text in modules.items():
                    ast.parse(text, path)
                self.assertTrue(any(f'@variant("{kind}", "one-example")' in text for text in modules.values()))
                exhibit = f'("{group}.one-example", "{kind}", "OneExample", '
                self.assertTrue(any(exhibit in text for text in modules.values()))

    def test_the_statement_that_it_holds_names_it(self):
        place = "conformance/evidence/census.json"
        changed = self.written("version.example", "--consumer", "--statement", "4", "--stimulus", "x" * 90)
        before = '{"number": 4, "place": "dlpack.h v1.2, lines 51-54", "binds": ["consumer"], "level": "MUST", '
        statement = next(line for line in changed[place].split("\n") if before in line)
        self.assertTrue(
            statement.endswith('"rules": ["version.major-mismatch-release", "version.example"]},'), statement
        )
        json.loads(changed[place])
        longest = max(map(len, changed["conformance/plan/stimuli.def"].split("\n")))
        self.assertLessEqual(longest, 120)

    def test_a_dry_run_says_the_same_and_writes_nothing(self):
        done = self.new_rule("flags.example", "--struct", "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("would write:\n  reference/vocabulary/rules.def\n", done.stdout)
        self.assertEqual(self.changed(), {})

    def test_nothing_is_left_to_fill_in(self):
        self.assertEqual(list(left_to_fill_in(self.before)), [])

    def test_each_place_to_fill_in_is_named(self):
        changed = self.written("flags.example", "--struct")
        self.assertEqual(
            {line.split(":")[0] for line in left_to_fill_in(changed)},
            {
                "conformance/evidence/pages/rules/flags.example.md",
                "reference/testing/faulty.def",
                "reference/validate/flags.cc",
                "reference/vocabulary/finding.def",
                "reference/vocabulary/rules.def",
            },
        )

    def test_what_cannot_be_written_is_refused_with_the_reason(self):
        self.refused("is no id", "Flags.Example", "--struct")
        self.refused("is no id", "flags", "--struct")
        self.refused("exists already", "flags.padded-checked", "--struct")
        self.refused("no group 'flag'; the groups are version, ", "flag.example", "--struct")
        self.refused("cannot be read off a struct", "capsule.example", "--struct")
        self.refused("--implied-by", "flags.example", "--struct", "--level", "implied")
        self.refused("no such rule", "flags.example", "--struct", "--level", "implied", "--implied-by", "flags.none")
        self.refused("at most 60 characters", "flags.example", "--struct", "--title", "x" * 61)
        self.refused("required", "flags.example")
        self.refused("says why", "flags.example", "--struct", "--statement", "2")
        self.refused("no such statement", "flags.example", "--struct", "--statement", "99999")
        self.refused("has a producer variant", "python.positional", "--producer")
        self.refused("is missing", "python.example", "--producer", "--module", "nothing")

    def test_a_foreign_folder_is_refused(self):
        shutil.rmtree(self.root / "reference")
        self.before = self.texts()
        self.refused("is .* a checkout of dlspec", "flags.example", "--struct")


if __name__ == "__main__":
    unittest.main()
