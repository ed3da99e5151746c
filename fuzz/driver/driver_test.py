"""dlspec::fuzz as an author uses it: a file beside the plug-in's own, compiled with -fsanitize=fuzzer.

Usage: driver_test.py BUILD_DIR
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "conformance" / "plugin" / "examples"
DRIVER = HERE / "examples" / "fuzz_plugin.c"
INCLUDES = [f"-I{BUILD / 'include' / name}" for name in ("dlspec_fuzz", "dlspec_plugin")]
LIBRARIES = [str(BUILD / "lib" / "libdlspec_fuzz.a"), "-lfmt", "-lstdc++", "-lm", "-ldl", "-pthread"]
SANITIZERS = ("fuzzer", "address")
SKIPPED = 77
# What the plug-in does wrong -> a piece of its source, what stands there instead, and what the run must tell.
FAULTS = {
    "independent": (
        "static void release(DlspecManagedVersioned* self) {\n",
        "static Export* newest;\n"
        "static void release(DlspecManagedVersioned* self) {\n"
        "  if (newest == (Export*)self) newest = NULL;\n"
        "  if (newest != NULL) newest->shape[0] = 7;\n",
        r"dlspec: tensor\.metadata-constant \(producer\)\n  observed  e\d+: shape\[0\] has changed\n",
    ),
    "freed": (
        "static void release(DlspecManagedVersioned* self) {\n",
        "static Export* newest;\n"
        "static void release(DlspecManagedVersioned* self) {\n"
        "  if (newest == (Export*)self) newest = NULL;\n"
        "  if (newest != NULL) free(newest->managed.dl_tensor.data);\n",
        r"AddressSanitizer: (attempting double-free|heap-use-after-free)",
    ),
    "leak": ("  free(self->dl_tensor.data);\n", "", r"LeakSanitizer: detected memory leaks"),
}


def compiler():
    """clang with libFuzzer, or None."""
    clang = shutil.which("clang")
    if clang is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "probe.c")
        source.write_text("int LLVMFuzzerTestOneInput(const char* d, unsigned long n) { return d && n ? 0 : 0; }\n")
        made = [clang, f"-fsanitize={','.join(SANITIZERS)}", str(source), "-o", f"{folder}/probe"]
        return None if subprocess.run(made, capture_output=True, check=False).returncode else clang


class Driver(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def call(self, *command, **settings):
        environment = {**os.environ, **settings}
        return subprocess.run(
            [str(part) for part in command],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
        )

    def build(self, program, *sources):
        made = self.call(
            CLANG,
            "-g",
            "-O1",
            f"-fsanitize={','.join(SANITIZERS)}",
            *INCLUDES,
            *sources,
            *LIBRARIES,
            "-o",
            self.folder / program,
        )
        self.assertEqual(made.returncode, 0, made.stderr)
        return self.folder / program

    def broken(self, fault):
        """The example with this fault in it."""
        before, after, _ = FAULTS[fault]
        text = (EXAMPLES / "producer.c").read_text(encoding="utf-8")
        self.assertEqual(text.count(before), 1)
        source = self.folder / f"{fault}.c"
        noted = text.replace("  *exported = &out->managed;\n", "  newest = out;\n  *exported = &out->managed;\n")
        text = noted if "newest" in after else text
        source.write_text(text.replace(before, after), encoding="utf-8")
        return source

    def test_the_file_is_short(self):
        self.assertLessEqual(len(DRIVER.read_text(encoding="utf-8").splitlines()), 40)

    def test_what_conforms_is_clean(self):
        for example in ("producer.c", "consumer.c"):
            program = self.build(example + ".fuzz", EXAMPLES / example, DRIVER)
            done = self.call(program, "-runs=2000", "-seed=1")
            self.assertEqual(done.returncode, 0, done.stderr)
            steps = self.call(program, "-runs=20", "-seed=1", DLSPEC_FUZZ_PRINT="1").stderr
            self.assertRegex(steps, r"\n 1  make a0 [^\n]*\n")
            self.assertRegex(steps, r" import " if example == "consumer.c" else r" export ")

    def test_faults_are_found_and_their_inputs_repeat_them(self):
        for fault, (_, _, told) in FAULTS.items():
            with self.subTest(fault):
                program = self.build(fault, self.broken(fault), DRIVER)
                done = self.call(program, "-runs=20000", "-seed=1", f"-artifact_prefix={fault}-")
                self.assertNotEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, told)
                (found,) = self.folder.glob(f"{fault}-*")
                for _ in range(5 if fault == "freed" else 1):
                    again = self.call(program, found)
                    self.assertNotEqual(again.returncode, 0, again.stderr)
                    self.assertRegex(again.stderr, told)

    def test_a_finding_is_shrunk_and_repeats_elsewhere(self):
        source = self.broken("independent")
        program = self.build("fuzz", source, DRIVER)
        done = self.call(program, "-runs=20000", "-seed=2", "-artifact_prefix=found-")
        steps = re.findall(r"^ +\d+  (.*)$", done.stderr, re.MULTILINE)
        self.assertTrue(3 <= len(steps) <= 6, done.stderr)
        self.assertRegex(done.stderr, r"\nDEDUP_TOKEN: dlspec--tensor\.metadata-constant--(release|drop|end)\n")
        library = self.folder / "libmine.so"
        made = self.call(CLANG, "-shared", "-fPIC", *INCLUDES, source, "-o", library)
        self.assertEqual(made.returncode, 0, made.stderr)
        sequence = re.search(r"--sequence '([^']+)'", done.stderr)[1]
        told = self.call(BUILD / "bin" / "dlspec", "fuzz", library, "--sequence", sequence)
        self.assertEqual(told.returncode, 1, told)
        self.assertIn("tensor.metadata-constant", told.stdout)
        (found,) = self.folder.glob("found-*")
        less = self.call(program, "-minimize_crash=1", "-runs=2000", "-exact_artifact_path=less", found)
        self.assertLess((self.folder / "less").stat().st_size, found.stat().st_size, less.stderr)
        self.assertRegex(self.call(program, "less").stderr, r"tensor\.metadata-constant")

    def test_other_engines_find_their_entry_points(self):
        made = self.call(CLANG, "-c", *INCLUDES, DRIVER, "-o", "driver.o")
        self.assertEqual(made.returncode, 0, made.stderr)
        symbols = self.call("nm", "--defined-only", "driver.o").stdout
        for name in ("LLVMFuzzerTestOneInput", "LLVMFuzzerCustomMutator", "LLVMFuzzerCustomCrossOver"):
            self.assertRegex(symbols, rf" T {name}\n")

    def test_afl_finds_it_as_well(self):
        if shutil.which("afl-clang-fast") is None or shutil.which("afl-fuzz") is None:
            self.skipTest("AFL++ is not installed (Debian: afl++)")
        source = self.broken("independent")
        call = ["afl-clang-fast", "-O1", "-fsanitize=fuzzer", *INCLUDES, source, DRIVER, *LIBRARIES, "-o", "afl"]
        made = self.call(*call)
        self.assertEqual(made.returncode, 0, made.stderr)
        for settings in ("AFL_SKIP_CPUFREQ", "AFL_NO_UI", "AFL_NO_AFFINITY", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES"):
            os.environ.setdefault(settings, "1")
        seeds = HERE.parent / "corpus" / "subject"
        done = self.call(
            *("afl-fuzz", "-V", "60", "-i", seeds, "-o", "out", "./afl"),
            AFL_BENCH_UNTIL_CRASH="1",
            AFL_CRASHING_SEEDS_AS_NEW_CRASH="1",
        )
        crashes = [path for path in self.folder.glob("out/default/crashes/id*")]
        self.assertTrue(crashes, done.stdout)
        self.assertIn("tensor.metadata-constant", self.call("./afl", crashes[0]).stderr)

    def test_a_broken_table_is_refused(self):
        source = self.folder / "empty.c"
        source.write_text(
            "#include <dlspec/plugin.h>\nconst DlspecPlugin* dlspec_plugin(void) { return NULL; }\n", encoding="utf-8"
        )
        done = self.call(self.build("empty", source, DRIVER), "-runs=1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("dlspec::fuzz: dlspec_plugin() returned NULL", done.stderr)


if __name__ == "__main__":
    CLANG = compiler()
    if CLANG is None:
        print("skipped: clang with libFuzzer is not installed (Debian: clang libclang-rt-14-dev)")
        sys.exit(SKIPPED)
    unittest.main()
