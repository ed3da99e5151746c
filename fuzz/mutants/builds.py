"""What a build folder knows of the files with mutants: how each is compiled, who reads it, and how tests are linked."""

import os
import re
import subprocess

import listing
from programs import needed_by, output_of, programs_for


class NotBuilt(Exception):
    """The build folder does not have what is needed; the message says what to do."""


def in_source(path):
    return os.path.join(listing.ROOT, path)


class Build:
    """What ninja knows about a build folder."""

    def __init__(self, folder, paths):
        """For mutants of these files."""
        self.folder = os.path.abspath(folder)
        if not os.path.exists(os.path.join(self.folder, "build.ninja")):
            raise NotBuilt(f"{folder} was not made with ninja: cmake --preset release -DDLSPEC_BUILD_TESTS=ON")
        self.compile = {}  # source -> (object, command)
        self.link = {}  # program -> command
        for program in sorted({program for path in paths for program in programs_for(path)}):
            for needed in (output_of(program), *needed_by(program)):
                if not os.path.exists(os.path.join(self.folder, needed)):
                    raise NotBuilt(f"{needed} is not built: ninja -C {folder} {needed}")
            self._read_commands(program)
        self._dependents = self._read_dependents()
        self.cpu_seconds = {}  # program -> the limit, once failing_without_mutants has run it

    def path_of(self, program):
        return os.path.join(self.folder, output_of(program))

    def _ninja(self, *arguments):
        done = subprocess.run(
            ["ninja", "-C", self.folder, "-t", *arguments], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NotBuilt(f"ninja -t {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def _read_commands(self, program):
        for command in self._ninja("commands", output_of(program)).splitlines():
            compiled = re.search(r" -o (\S+\.o) -c (\S+)$", command)
            if compiled:
                self.compile[compiled.group(2)] = (compiled.group(1), command)
            elif f" -o {output_of(program)} " in command:
                self.link[program] = command.split("&& ", 1)[1].rsplit(" && :", 1)[0]
        if program not in self.link:
            raise NotBuilt(f"ninja has no link command for {program}")

    def _read_dependents(self):
        """header -> sources that read it, by what the compiler saw."""
        sources = {target: source for source, (target, _) in self.compile.items()}
        dependents, source = {}, None
        for line in self._ninja("deps").splitlines():
            if not line.startswith(" "):
                source = sources.get(line.split(":")[0])
            elif source and line.strip():
                dependents.setdefault(os.path.realpath(os.path.join(self.folder, line.strip())), set()).add(source)
        return dependents

    def readers(self, header):
        """The test named after this header, if it reads it, and the library sources that read it."""
        path = in_source(header)
        own_test = os.path.splitext(path)[0] + "_test.cc"
        readers = self._dependents.get(os.path.realpath(path), set())
        return own_test if own_test in readers else None, sorted(r for r in readers if not r.endswith("_test.cc"))
