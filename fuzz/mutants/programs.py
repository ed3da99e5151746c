"""The programs and libraries that mutants are linked into, and the tests that run on them."""

import functools
import glob
import os
import re
import shutil
import sys

from places import ROOT

# Whose tests should kill the mutants of a file, nearest first.
PROGRAMS = (
    ("reference/vocabulary/", ("vocabulary_test", "reference_test", "conformance_test", "optimized_test")),
    ("reference/rearrange/", ("reference_test", "conformance_test")),
    ("reference/descriptor/text", ("reference_test", "conformance_test")),
    ("reference/", ("reference_test", "optimized_test", "conformance_test")),
    ("conformance/", ("conformance_test",)),
    ("optimized/cuda/", ("emulator_test",)),
    ("optimized/infiniop/infinirt", ("libinfinirt.so",)),
    ("optimized/infiniop/", ("libinfiniop.so",)),
    ("optimized/", ("optimized_test",)),
)
# Tests that run first, where these are not the tests in the folder of the fault; and suites that are too slow for that.
TESTS_FIRST = (
    (
        "optimized/rearrange/",
        ("optimized/rearrange/*_test.cc", "optimized/rearrange/*/*_test.cc", "optimized/testing/rearrange_*_test.cc"),
    ),
    ("optimized/cuda/", ("optimized/cuda/*_test.cc", "optimized/cuda/*/*_test.cc")),
    ("optimized/infiniop/", ()),
    (
        "optimized/",
        ("optimized/validate/*_test.cc", "optimized/descriptor/*_test.cc", "optimized/testing/[!r]*_test.cc"),
    ),
)
SLOW_SUITES = (
    "RearrangeExhaustive",
    "EmulatorSmallWorld",
    "EnvironmentTest",
    "NativeWorker",
    "OddProducers",
    "UpdateBaseline.FitsIts",
)
# Of the shared libraries, which are loaded from one folder: those that take it as argument, those that are linked to
# them, and what a fuzz target replays.
LIBRARIES = ("libinfinirt.so", "libinfiniop.so")
LIBRARY_SCRIPTS = ("bridge_test.py", "defects_test.py", "client_test.py", "devices_test.py")
FAKE_GPU = "tests/fake/libdlspec_cuda.so"
LIBRARY_PROGRAMS = (
    ("tests/infiniop_test", "--gtest_brief=1"),
    ("fuzz/fuzz_infiniop", *(f"{ROOT}/fuzz/{kind}/infiniop" for kind in ("corpus", "regressions"))),
)


def programs_for(path):
    return next(programs for prefix, programs in PROGRAMS if path.startswith(prefix))


def output_of(program):
    """Where the build has it."""
    return f"{'lib' if program in LIBRARIES else 'tests'}/{program}"


def needed_by(program):
    """What else the build must have for its tests."""
    return [FAKE_GPU, *(path for path, *_ in LIBRARY_PROGRAMS)] if program in LIBRARIES else []


def place_for(program, build, folder):
    """Where in a workshop to link it: of a library beside the build's other one."""
    if program not in LIBRARIES:
        return os.path.join(folder, program)
    beside = os.path.join(folder, "libraries")
    os.makedirs(beside, exist_ok=True)
    for library in LIBRARIES:
        shutil.copy(os.path.join(build, "lib", library), beside)
    return os.path.join(beside, program)


def calls(program, place, build, suites=()):
    """The command lines of its tests, each with what it adds to the environment."""
    if program in LIBRARIES:
        folder = os.path.dirname(place)
        for script in LIBRARY_SCRIPTS:
            fake = [os.path.join(build, FAKE_GPU)] if script == "devices_test.py" else []
            yield [sys.executable, "-B", f"{ROOT}/optimized/infiniop/{script}", folder, *fake], {}
        for path, *arguments in LIBRARY_PROGRAMS:
            yield [os.path.join(build, path), *arguments], {"LD_LIBRARY_PATH": folder}
        return
    arguments = [place, "--gtest_fail_fast", "--gtest_brief=1"]
    if suites:
        few, slow = (":".join(f"*{suite}*" for suite in names) for names in (sorted(suites), SLOW_SUITES))
        arguments.append(f"--gtest_filter={few}-{slow}")
    yield arguments, {"RC_PARAMS": "seed=1"}


def failed_test(printed):
    """The test that failed, of GoogleTest or of unittest, or None."""
    found = re.search(r"\[  FAILED  \] ([\w/.]+)|^(?:FAIL|ERROR): (\w+)", printed, re.M)
    return found and (found[1] or found[2])


@functools.lru_cache(None)
def suites_beside(path):
    """The test suites of the folder: they run first, because they kill most mutants."""
    patterns = next(
        (near for prefix, near in TESTS_FIRST if path.startswith(prefix)), (os.path.dirname(path) + "/*_test.cc",)
    )
    suites = set()
    for name in (name for pattern in patterns for name in glob.glob(pattern, root_dir=ROOT)):
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            suites.update(re.findall(r"^(?:RC_GTEST_PROP|TEST(?:_F|_P)?)\((\w+),", file.read(), re.M))
    return frozenset(suites.difference(SLOW_SUITES))
