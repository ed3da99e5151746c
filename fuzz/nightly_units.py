"""What the parts of the night are made of: units, the commands that they run, modules that know the subjects."""

import dataclasses
import importlib
import os
import subprocess
import sys
import typing

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
JOBS = os.cpu_count() or 1


class Failure(Exception):
    """A unit failed; the message says how and how to repeat it."""


@dataclasses.dataclass
class Unit:
    root: str
    number: int  # from 0
    seed: int
    facts: dict  # what the part has counted so far
    seconds: float  # left until no unit is started
    live: typing.Callable

    def path(self, *parts):
        return os.path.join(self.root, *parts)


@dataclasses.dataclass
class Part:
    name: str
    what: str
    units: int
    run: typing.Callable  # Unit -> facts that change; {"unfinished": True} asks for the unit again
    missing: typing.Callable = lambda root: ""  # why the part cannot run here


def evidence_module(room, name):
    """A module of conformance/evidence/ROOM, which knows its subjects."""
    folder = os.path.join(ROOT, "conformance", "evidence", room)
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def call(unit, command, allowed=(0,), **options):
    """Runs a command to its end and returns what it printed."""
    programs = evidence_module("fleet", "programs")
    done = programs.run(command, cwd=unit.root, stderr=subprocess.STDOUT, **options)
    if done.returncode not in allowed:
        tail = "\n".join(done.stdout.splitlines()[-30:])
        raise Failure(f"`{' '.join(command)}` ended with {done.returncode}\n{tail}")
    return done.stdout


def prepare(root, live):
    """Builds what the parts drive."""
    unit = Unit(root, 0, 0, {}, 0, live)
    live("building build/release ...")
    if not os.path.exists(unit.path("build", "release", "build.ninja")):
        call(
            unit,
            [
                "cmake",
                "--preset",
                "release",
                "-DDLSPEC_BUILD_TESTS=ON",
                "-DDLSPEC_BUILD_FUZZ=ON",
                "-DDLSPEC_BUILD_BENCH=OFF",
            ],
        )
    call(unit, ["cmake", "--build", "build/release", "--parallel", str(JOBS)])
