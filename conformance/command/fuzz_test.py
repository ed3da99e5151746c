"""dlspec fuzz as a user meets it: faults that depend on the order of steps, scripts, statuses and interrupts.

Usage: fuzz_test.py BUILD_DIR
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
FAKES = pathlib.Path(__file__).resolve().parents[1] / "selfcheck" / "fakes"
LONGEST = 60  # seconds in which a fault has to be found
# Fake -> the rule that its shrunk sequence breaks.
FAULTS = {
    "newest_released": {"managed.exports-independent"},
    "copies_follow": {"python.copy-true"},
    # Which of the two is found first depends on whether the source was dropped.
    "metadata_overwritten": {"tensor.metadata-constant", "tensor.metadata-lifetime"},
    "source_frozen": {"python.no-effect-on-source"},
    "resize_frozen": {"python.no-effect-on-source"},
    "dies_releasing": {"managed.exports-independent", "managed.deleter-any-thread", "managed.borrow"},
}
# Faults that no script reproduces: fake -> what is observed, and further options.
SILENT = {
    "hangs_releasing": ("no answer within 1 s", "--timeout", "1"),
    "keeps_sources": ("the source is still alive after everything was released",),
}
EXAMPLES = FAKES.parents[1] / "plugin" / "examples"


class Fuzz(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.environment = {
            **os.environ,
            "DLSPEC_CACHE": str(self.folder / "cache"),
            "PYTHONPATH": str(BUILD / "lib" / "python"),
        }

    def command(self, *arguments):
        return [str(BUILD / "bin" / "dlspec"), "fuzz", *map(str, arguments)]

    def fuzz(self, *arguments):
        python = [] if arguments and arguments[0] == "builtin" else ["--python", sys.executable]
        return subprocess.run(
            self.command(*arguments, *python),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def test_wrong_usage_starts_nothing(self):
        for wanted, *arguments in (
            ("SUBJECT", "--minutes", "1"),
            ("is no sequence", "builtin", "--sequence", "make coffee"),
            ("not possible where it stands", "builtin", "--sequence", "release e0 here"),
            ("not in range", "builtin", "--minutes", "-1"),
            ("not in range", "builtin", "--jobs", "0"),
            ("neither a Python adapter", "./no/such.txt"),
        ):
            done = self.fuzz(*arguments)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(wanted, done.stdout + done.stderr)

    def test_what_is_missing_is_not_judged(self):
        done = self.fuzz(self.folder / "missing.py", "--minutes", "0.01")
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("there is no file", done.stderr)

    def test_own_libraries_show_nothing(self):
        for subject in ("builtin", FAKES / "honest.py", FAKES / "ordered" / "plain.py"):
            done = self.fuzz(subject, "--minutes", "0.05", "--seed", "7")
            self.assertEqual((done.returncode, done.stderr), (0, ""), done)
            told = re.search(r"([\d,]+) sequences, ([\d,]+) steps .* 0 findings, seed 7", done.stdout)
            self.assertIsNotNone(told, done.stdout)
            self.assertGreater(int(told[1].replace(",", "")), 20)

    def test_faults_are_found_shrunk_and_repeated_without_dlspec(self):
        for name, rules in FAULTS.items():
            with self.subTest(fault=name):
                self.check_fault(name, rules)

    def check_fault(self, name, rules):
        scripts, report = self.folder / name, self.folder / (name + ".json")
        began = time.monotonic()
        subject = FAKES / "ordered" / (name + ".py")
        done = self.fuzz(subject, "--first", "--minutes", 2, "--emit-reproducer", scripts, "--json", report)
        self.assertEqual(done.returncode, 1, done)
        self.assertLess(time.monotonic() - began, LONGEST)
        record = json.loads(report.read_text(encoding="utf-8"))["results"][0]
        self.assertIn(record["rule"], rules, record)
        steps = re.findall(r"^ *\d+  ", record["observed"], re.M)
        self.assertTrue(1 <= len(steps) <= 10, record["observed"])
        again = subprocess.run(
            record["reproduce"],
            shell=True,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(again.returncode, 1, again)
        self.assertIn(record["rule"], again.stdout)
        script = next(scripts.glob("1-*.py"))
        for _ in range(5):
            shown = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(shown.returncode, 1, shown)
            self.assertIn("The fault is there.", shown.stdout)

    def test_scripts_leave_out_what_the_library_refuses(self):
        """Those of `dlspec run`, whose sequences are not shrunk: these libraries slice, import and mutate nothing."""
        for name in ("newest_released", "metadata_overwritten"):
            with self.subTest(fault=name):
                subject, scripts = FAKES / "ordered" / (name + ".py"), self.folder / name
                command = [BUILD / "bin" / "dlspec", "run", subject, "--case", "*/sequence=*", "--jobs", "1"]
                command += ["--emit-reproducer", scripts, "--python", sys.executable]
                done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 1, done)
                script = next(scripts.glob("*.py"))
                shown = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
                self.assertEqual(shown.returncode, 1, shown)
                self.assertIn("The fault is there.", shown.stdout)

    def test_hangs_and_leaks_are_found(self):
        for name, (observed, *options) in SILENT.items():
            with self.subTest(fault=name):
                done = self.fuzz(FAKES / "ordered" / f"{name}.py", "--first", "--minutes", 2, "--jobs", 1, *options)
                self.assertEqual(done.returncode, 1, done)
                self.assertIn(observed, done.stdout)
                self.assertLessEqual(len(re.findall(r"^ +\d+  ", done.stdout, re.M)), 5, done.stdout)

    def plugin(self, *flags):
        """The example of a producer, which crashes in a function of its own when a release finds three live exports."""
        compiler = shutil.which("cc")
        if compiler is None or not (BUILD / "lib" / "dlspec" / "coverage.so").exists():
            self.skipTest("no C compiler, or dlspec is built with a sanitizer")
        text = (EXAMPLES / "producer.c").read_text(encoding="utf-8")
        head = "static void release(DlspecManagedVersioned* self) {\n"
        dies = "static int live;\n__attribute__((noinline)) void ends_badly(void) { abort(); }\n"
        text = text.replace(head, dies + head + "  if (live-- == 3) ends_badly();\n")
        text = text.replace("  Export* out", "  ++live;\n  Export* out")
        source, library = self.folder / "mine.c", self.folder / "libmine.so"
        source.write_text(text, encoding="utf-8")
        include = f"-I{BUILD / 'include' / 'dlspec_plugin'}"
        subprocess.run([compiler, "-shared", "-fPIC", include, *flags, source, "-o", library], check=True)
        return library

    def test_a_crash_names_its_functions_and_is_reported_once(self):
        done = self.fuzz(self.plugin(), "--minutes", "0.05", "--jobs", "1")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("killed by SIGABRT", done.stdout)
        self.assertIn(" in ends_badly (libmine.so)", done.stdout)
        self.assertRegex(done.stdout, r" 1 finding \(seen [\d,]+ times more\), seed 0")

    def test_coverage_is_counted_where_the_library_is_compiled_for_it(self):
        done = self.fuzz(self.plugin("-fsanitize-coverage=trace-pc"), "--minutes", "0.02", "--jobs", "1")
        counted = re.search(r" ([\d,]+) of coverage \(([\d,]+) places\)", done.stdout)
        self.assertIsNotNone(counted, done.stdout)
        self.assertGreaterEqual(int(counted[1].replace(",", "")), int(counted[2].replace(",", "")))
        self.assertGreater(int(counted[2].replace(",", "")), 10)

    def test_an_interrupt_ends_it_with_its_summary(self):
        process = subprocess.Popen(
            self.command("builtin", "--jobs", "2"),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        out, err = process.communicate(timeout=30)
        self.assertLess(time.monotonic() - asked, 2)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertRegex(out, r"\A.*[1-9][\d,]* steps .* 0 findings, seed 0\n\Z")
        corpus = list((self.folder / "cache" / "sequences").glob("builtin-*.txt"))
        self.assertEqual(len(corpus), 1)
        self.assertIn("export e0", corpus[0].read_text(encoding="ascii"))

    def test_a_sequence_that_shows_nothing(self):
        done = self.fuzz("builtin", "--sequence", "make a0 c float32 library; export e0 a0 versioned; drop e0")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertIn("1 sequences, 3 steps", done.stdout)

    def test_quiet_prints_nothing(self):
        done = self.fuzz("builtin", "--minutes", "0.01", "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
