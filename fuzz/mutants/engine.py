"""Builds one mutant into the tests that should kill it, and runs them.

The tree is not changed. The file with the fault is compiled by the command that the build has for it, and the test
program is linked again with that object before the libraries, so that the linker uses its functions and not the
original's. A header with a fault is put into an include folder that is searched first, and the sources that read it are
compiled again. Kernels are included by their place beside their source: the whole folder is copied, and the sources are
compiled from the copy.
"""

import os
import re
import resource
import shlex
import shutil
import subprocess

import listing
import programs
from builds import in_source
from programs import programs_for, suites_beside

# Tests of other folders, which take a minute, are not counted on.
TESTS_ALONE = ("optimized/validate/", "optimized/descriptor/")
# Its sources include the kernels, headers of the folders below.
WITH_KERNELS = "optimized/rearrange/cpu/"
INCLUDED_AS = (("reference/vocabulary/", "dlspec/vocabulary/"), ("", "dlspec/"))
FAST_LINKER = next((f"-fuse-ld={name} " for name in ("lld", "gold") if shutil.which(f"ld.{name}")), "")
# A program that takes so many times what it takes without a fault is in an endless loop. CPU time, so that the load of
# the machine does not matter.
ENDLESS, CPU_SECONDS_LEAST = 5, 5
WALL_SECONDS = 600


def is_kernel(path):
    return path.startswith(WITH_KERNELS) and "/" in path[len(WITH_KERNELS) :]


class Workshop:
    """A folder in which one mutant at a time is built and tried."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = os.path.abspath(folder)
        self.headers_read = {}  # header made of a source's includes -> whether it could be precompiled
        os.makedirs(self.folder, exist_ok=True)

    def try_out(self, mutant):
        """("killed", the test), ("survived", "") or ("stillborn", the compiler's message)."""
        text, _ = listing.applied(mutant)
        changed = self._write(mutant["file"], text)
        try:
            for program, sources in self._stages(mutant):
                objects, complaint = self._compile(mutant, sources, changed)
                if complaint:
                    asserted = "static assertion failed" in complaint or "static_assert" in complaint
                    return ("killed", "a static assertion") if asserted else ("stillborn", complaint)
                answer = self._run(program, objects, mutant)
                if answer:
                    return "killed", answer
            return "survived", ""
        finally:
            os.remove(changed)

    def _write(self, path, text):
        name = os.path.basename(path)
        if is_kernel(path):
            copy = os.path.join(self.folder, "folder")
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(in_source(WITH_KERNELS), copy)
            name = os.path.join("folder", path[len(WITH_KERNELS) :])
        elif path.endswith((".h", ".def")):
            prefix, include = next((prefix, include) for prefix, include in INCLUDED_AS if path.startswith(prefix))
            name = os.path.join("include", include + path[len(prefix) :])
        changed = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(changed), exist_ok=True)
        with open(changed, "w", encoding="utf-8") as file:
            file.write(text)
        return changed

    def _stages(self, mutant):
        """Pairs of a test program and the sources to compile again for it, cheapest first."""
        path, programs = mutant["file"], programs_for(mutant["file"])
        if path.endswith(".cc"):
            yield from ((program, [in_source(path)]) for program in programs)
            return
        if is_kernel(path):
            yield from ((program, self.build.readers(path)[1]) for program in programs)
            return
        own_test, readers = self.build.readers(path)
        own_source = os.path.splitext(in_source(path))[0] + ".cc"
        if own_test:
            yield programs[0], [own_test] + [source for source in readers if source == own_source]
        library = path.split("/")[0] + "/"
        for program in programs:
            yield program, [source for source in readers if os.path.relpath(source, listing.ROOT).startswith(library)]

    def _compile(self, mutant, sources, changed):
        """Pairs of (object in the build, object made here), and the compiler's message if it failed."""
        objects = []
        for source in sources:
            target, command = self.build.compile[source]
            made = os.path.join(self.folder, target.replace("/", "."))
            command = (
                re.sub(r" -MD -MT \S+ -MF \S+", "", command)
                .replace(" -Werror ", " -w ")
                .replace(f" -o {target}", f" -o {made}")
            )
            if not source.endswith("_test.cc"):
                # What the build has precompiled is of use with its own options alone.
                command = re.sub(r" -Winvalid-pch -include \S+/cmake_pch\.hxx", "", command)
                command = re.sub(" -O[23] ", " -O1 ", command)
            if mutant["file"].endswith(".cc"):
                beside = os.path.dirname(source)  # for its includes in quotes
                command = command.replace(f" -c {source}", f" -iquote {beside} -c {changed}")
                command = self._with_headers_read(source, command, "")
            elif is_kernel(mutant["file"]):
                copy = os.path.join(self.folder, "folder", os.path.basename(source))
                command = self._with_headers_read(source, command.replace(f" -c {source}", f" -c {copy}"), "")
            else:
                command = command.replace(" -I", f" -I{self.folder}/include -I", 1)
                command = self._with_headers_read(source, command, "dlspec/")  # any of them may read the changed one
            done = self._call(command)
            if done.returncode:
                lines = [line for line in done.stderr.splitlines() if "error:" in line]
                return [], (lines or ["the compiler failed"])[0]
            objects.append((target, made))
        return objects, ""

    def _with_headers_read(self, source, command, but):
        """Precompiles the headers of a source: they take most of the compiler's time, and a source has many mutants.

        Leaves out headers that begin with `but`, if that is not empty.
        """
        command = re.sub(r"^ccache ", "", command)
        which = ".foreign.h" if but else ".h"
        header = os.path.join(self.folder, os.path.relpath(source, listing.ROOT).replace("/", ".") + which)
        if header not in self.headers_read:
            with open(source, encoding="utf-8") as file:
                includes = [line for line in file if re.match(r"#include <[^>]+(?<!\.def)>", line)]
                includes = [line for line in includes if not (but and line.startswith(f"#include <{but}"))]
            with open(header, "w", encoding="utf-8") as file:
                file.writelines(includes)
            once = re.sub(r" -o \S+ -c \S+$", f" -x c++-header {header} -o {header}.gch", command)
            self.headers_read[header] = self._call(once).returncode == 0
        return (
            re.sub(r" -o (\S+) -c ", rf" -include {header} -o \1 -c ", command)
            if self.headers_read[header]
            else command
        )

    def _call(self, command):
        return subprocess.run(shlex.split(command), cwd=self.build.folder, capture_output=True, text=True, check=False)

    def _run(self, program, objects, mutant):
        """The test that fails, or an empty text."""
        command = self.build.link[program]
        place = programs.place_for(program, self.build.folder, self.folder)
        front = []
        for target, made in objects:
            if target in command.split():
                command = command.replace(target, made)
            else:
                front.append(made)
        # Before everything else: of functions in several objects the linker uses the first.
        first = next(word for word in command.split() if word.endswith(".o"))
        command = command.replace(f" {first}", "".join(f" {made}" for made in front) + f" {first}", 1)
        command = command.replace(f" -o {programs.output_of(program)} ", f" -o {place} {FAST_LINKER}")
        if self._call(command).returncode:
            return "the linker"
        if program in programs.LIBRARIES:
            return self.run_tests(place, program)  # they have no suites to begin with
        near = suites_beside(mutant["file"]) if program == programs_for(mutant["file"])[0] else ()
        answer = self.run_tests(place, program, near) if near else ""
        if near and mutant["file"].startswith(TESTS_ALONE):
            return answer
        return answer or self.run_tests(place, program, ("",)) or self.run_tests(place, program)

    def run_tests(self, place, program, suites=()):
        """The first test that fails, how the program died, or an empty text."""
        for arguments, environment in programs.calls(program, place, self.build.folder, suites):
            answer = self._run_one(program, arguments, os.environ | environment)
            if answer:
                return answer
        return ""

    def _run_one(self, program, arguments, environment):
        seconds = self.build.cpu_seconds.get(program, WALL_SECONDS)
        try:
            done = subprocess.run(
                arguments,
                cwd=self.build.folder,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                env=environment,
                timeout=WALL_SECONDS,
                preexec_fn=lambda: limit_resources(seconds),
            )
        except subprocess.TimeoutExpired:
            return f"{program}: never ends"
        if done.returncode == 0:
            return ""
        if failed := programs.failed_test(done.stdout + done.stderr):
            return f"{program}: {failed}"
        return f"{program}: " + ("never ends" if done.returncode == -24 else f"ended with {done.returncode}")


def limit_resources(seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def cpu_seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def failing_beside(build, folder, mutants):
    """The same of the tests that run first alone, where the whole programs are tests of their own."""
    workshop = Workshop(build, folder)
    for path in sorted({mutant["file"] for mutant in mutants}):
        program, near = programs_for(path)[0], suites_beside(path)
        if answer := near and workshop.run_tests(build.path_of(program), program, near):
            yield f"{program} fails without any mutant: {answer}"


def failing_without_mutants(build, folder, mutants):
    """Messages about tests that fail without a mutant, which makes every result meaningless.

    What the programs use is the measure of an endless loop.
    """
    workshop = Workshop(build, folder)
    for program in sorted({program for mutant in mutants for program in programs_for(mutant["file"])}):
        before = cpu_seconds_of_children()
        answer = workshop.run_tests(build.path_of(program), program)
        used = cpu_seconds_of_children() - before
        build.cpu_seconds[program] = max(CPU_SECONDS_LEAST, round(ENDLESS * used))
        if answer:
            yield f"{program} fails without any mutant: {answer}"
