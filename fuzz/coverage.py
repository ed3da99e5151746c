"""Both sides compiled with clang's source coverage, and linked with the rest of a build: targets count what they
reach in them."""

import concurrent.futures
import functools
import glob
import json
import os
import shutil
import subprocess
import sys

FUZZ = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(FUZZ)
TARGETS = ("validate", "extent", "constraint", "text", "views")
# group: the folder whose sources and headers it counts.
GROUPS = {
    "validate, reference": "reference/validate",
    "validate, optimized": "optimized/validate",
    "descriptor, reference": "reference/descriptor",
    "descriptor, optimized": "optimized/descriptor",
}
# -O0: an optimiser joins conditions.
FLAGS = ("-std=c++20", "-O0", "-fPIC", "-fprofile-instr-generate", "-fcoverage-mapping")
LIBRARIES = ("optimized_testing", "optimized", "reference_testing", "reference", "vocabulary")
# What nearly every source includes, parsed once.
PRECOMPILED = (
    "algorithm", "array", "compare", "cstdint", "limits", "optional", "span", "string", "string_view", "utility",
    "variant", "vector",
)  # fmt: skip


@functools.cache
def release():
    """Of clang++: "14", or "" without one."""
    if not shutil.which("clang++"):
        return ""
    return call("clang++", "-dumpversion").split(".")[0]


def tool(name):
    """NAME of clang's release, NAME-14 or NAME as distributions call it; None without one."""
    return shutil.which(f"{name}-{release()}") or shutil.which(name)


def is_possible():
    return all(map(tool, ("clang++", "llvm-cov", "llvm-profdata")))


def call(*command, **more):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, check=False, **more)
    if done.returncode:
        told = done.stdout[-3000:] + done.stderr[-3000:]
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{told}")
    return done.stdout


def sources():
    """Of each group, without tests."""
    found = (path for folder in GROUPS.values() for path in glob.glob(os.path.join(ROOT, folder, "*.cc")))
    return sorted(path for path in found if not path.endswith("_test.cc"))


def object_of(path, folder):
    return os.path.join(folder, os.path.relpath(path, ROOT).replace(os.sep, "-") + ".o")


def compile_sources(build, folder, flags, jobs=None):
    """The object files; `build` has the folders of headers. As many at a time as there are processors, or `jobs`."""
    os.makedirs(folder, exist_ok=True)
    headers = [f"-I{os.path.join(build, 'include', 'dlspec_' + name)}" for name in LIBRARIES]
    common = os.path.join(folder, "common.h")
    with open(common, "w", encoding="utf-8") as file:
        file.writelines(f"#include <{name}>\n" for name in PRECOMPILED)
    compiler = (tool("clang++"), *FLAGS, *flags)
    call(*compiler, "-x", "c++-header", common, "-o", common + ".pch")

    def one(path):
        made = object_of(path, folder)
        call(*compiler, *headers, "-include-pch", common + ".pch", "-c", path, "-o", made)
        return made

    with concurrent.futures.ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(one, sources()))


def link(build, objects, target, main, flags=()):
    """A program of the counting objects, the target as it was built, and the libraries for all else."""
    program = os.path.join(os.path.dirname(objects[0]), f"fuzz_{target}")
    parts = os.path.join(build, "fuzz", "CMakeFiles", f"fuzz_{target}.dir", "targets")
    own = [os.path.join(parts, name) for name in (f"fuzz_{target}.cc.o", *main)]
    archives = [os.path.join(build, "lib", f"libdlspec_{name}.a") for name in LIBRARIES]
    call(tool("clang++"), *FLAGS, *flags, *objects, *own, *archives, "-pthread", "-ldl", "-o", program)
    return program


def replayers(build, folder, jobs=None):
    """{target: a program that replays stored inputs}."""
    objects = compile_sources(build, folder, (), jobs)
    return {target: link(build, objects, target, ("replay_main.cc.o",)) for target in TARGETS}


def profile(programs, inputs, merged):
    """What the programs reach with their inputs ({target: files and folders}), without mutants, for llvm-cov."""
    written = []
    for target, paths in inputs.items():
        written.append(f"{merged}.{target}")
        environment = {**os.environ, "LLVM_PROFILE_FILE": written[-1]}
        call(programs[target], "--plain", *paths, env=environment)
    call(tool("llvm-profdata"), "merge", "-sparse", *written, "-o", merged)
    chosen = [programs[target] for target in inputs]
    others = [part for program in chosen[1:] for part in ("-object", program)]
    exported = call(tool("llvm-cov"), "export", f"-instr-profile={merged}", chosen[0], *others)
    files = json.loads(exported)["data"][0]["files"]
    return {os.path.relpath(os.path.realpath(file["filename"]), ROOT): file for file in files}


def stored(target):
    """Folders with inputs that every build replays."""
    kept = (os.path.join(FUZZ, kind, target) for kind in ("corpus", "regressions"))
    return [folder for folder in kept if os.path.isdir(folder)]


def is_in(path, folder):
    return os.path.dirname(path) == folder


def missed_branches(file):
    """{(line, column, last line, last column, outcome)} of conditions that never had it."""
    found = {}
    for begin, column, end, last, true, false, *_ in file["branches"]:
        for outcome, count in (("true", true), ("false", false)):
            key = (begin, column, end, last, outcome)
            found[key] = found.get(key, 0) + count
    return {key for key, count in found.items() if count == 0}
