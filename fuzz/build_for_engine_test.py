#!/usr/bin/env python3
"""build-for-engine in a stand-in of the environment of OSS-Fuzz and ClusterFuzzLite: their variables and folders, and a
cmake that writes down what it is asked for and gives the replay programs of this build instead of building.

build_for_engine_test.py FOLDER     FOLDER: of the replay programs (build/NAME/fuzz)
"""

import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PROGRAMS = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else ""
STAND_IN = """#!/bin/sh
echo "$@" >> "$WORK/asked"
case $1 in --build) mkdir -p "$2/fuzz" && cp "$PROGRAMS"/fuzz_* "$2/fuzz/" ;; esac
"""


class BuildForEngine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name in ("src", "out", "work", "bin"):
            os.mkdir(self.path(name))
        os.symlink(ROOT, self.path("src", "dlspec"))
        with open(self.path("bin", "cmake"), "w", encoding="utf-8") as file:
            file.write(STAND_IN)
        os.chmod(self.path("bin", "cmake"), 0o755)

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def build(self, script, **others):
        environment = {
            "SRC": self.path("src"), "OUT": self.path("out"), "WORK": self.path("work"), "PROGRAMS": PROGRAMS,
            "CC": "clang", "CXX": "clang++", "CXXFLAGS": "-fsanitize=address",
            "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
            "PATH": self.path("bin") + os.pathsep + os.environ["PATH"],
        }  # fmt: skip
        return subprocess.run(
            ["bash", script],
            env=environment | others,
            cwd=self.path("src"),
            capture_output=True,
            text=True,
            check=False,
        )

    def asked(self):
        with open(self.path("work", "asked"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_each_program_comes_with_seeds_that_it_replays(self):
        done = self.build(os.path.join(ROOT, ".clusterfuzzlite", "build.sh"))
        self.assertEqual(done.returncode, 0, done.stderr)
        names = os.listdir(self.path("out"))
        programs = [name for name in names if "." not in name and not name.endswith("_seed_corpus.zip")]
        self.assertTrue({"fuzz_validate", "fuzz_extent", "fuzz_rearrange", "fuzz_constraint"} <= set(programs), names)
        self.assertIn("fuzz_constraint.dict", names)
        for name in ("fuzz_validate", "fuzz_constraint"):
            with open(self.path("out", name + ".options"), encoding="utf-8") as file:
                self.assertIn("[libfuzzer]", file.read())
            with zipfile.ZipFile(self.path("out", name + "_seed_corpus.zip")) as seeds:
                seeds.extractall(self.path("seeds", name))
            count = len(os.listdir(self.path("seeds", name)))
            replayed = subprocess.run(
                [self.path("out", name), self.path("seeds", name)], capture_output=True, text=True, check=False
            )
            self.assertEqual((replayed.returncode, replayed.stdout), (0, f"{count} inputs replayed\n"))
            self.assertEqual(count, len(os.listdir(os.path.join(HERE, "corpus", name[len("fuzz_") :]))))

    def test_the_engine_of_the_environment_is_linked(self):
        engine = "/usr/lib/libFuzzingEngine.a"
        done = self.build(os.path.join(HERE, "oss-fuzz", "build.sh"), LIB_FUZZING_ENGINE=engine)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"-DDLSPEC_FUZZING_ENGINE={engine}", self.asked()[0].split())
        self.assertEqual(self.asked()[1].split()[-2:], ["--target", "fuzz_targets"])

    def test_a_variable_that_is_missing_is_named(self):
        done = self.build(os.path.join(HERE, "build-for-engine"), LIB_FUZZING_ENGINE="")
        self.assertEqual(done.returncode, 2)
        self.assertIn("$LIB_FUZZING_ENGINE is not set", done.stderr)


if __name__ == "__main__":
    unittest.main()
