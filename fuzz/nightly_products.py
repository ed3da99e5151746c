"""Parts of the night that build what is published: the wheel, other systems, packages, a plug-in in Rust."""

import json
import os
import re
import shutil

import nightly_units
from nightly_units import Failure

PLATFORMS = ("macos", "musl", "aarch64")
SKIPPED = 77


def found(pattern, printed, what):
    """The match, in what a command printed."""
    match = re.search(pattern, printed, re.MULTILINE)
    if not match:
        raise Failure(f"{what}:\n{printed[-2000:]}")
    return match


def run_wheel(unit):
    printed = nightly_units.call(unit, ["bash", "conformance/setup/wheel", "--portable", unit.path("wheels")])
    made = found(r"^(\S+\.whl): ([0-9.]+) MB, nothing to object to$", printed, "no wheel was made")
    tried = nightly_units.call(unit, ["bash", "conformance/setup/try-wheel", unit.path("wheels", made[1])])
    return {"commands of the installed wheel that worked": tried.count("good: ")}


def run_platform(unit):
    """Another system: what compiles for it, and what of it runs here. Skipped systems are counted."""
    system = PLATFORMS[unit.number]
    printed = nightly_units.call(unit, ["bash", "conformance/setup/check-platforms", system], (0, SKIPPED))
    if "check-platforms: skipped: " in printed:
        name = "systems skipped"
        return {name: unit.facts.get(name, 0) + 1}
    if system == "macos":
        match = found(r"^\S+: (\d+) of \1 sources compile$", printed, "not every source compiles for macOS")
        return {"sources that compile for macOS": int(match[1])}
    match = found(r"^dlspec [0-9.]+: (\d+) pass", printed, f"`run builtin` for {system} said nothing")
    return {f"{system}: cases of builtin that pass": int(match[1])}


def no_rust(root):
    del root
    return "" if shutil.which("rustc") else "there is no rustc"


def run_rust(unit):
    library = unit.path("build", "nightly", "libproducer_rust.so")
    os.makedirs(os.path.dirname(library), exist_ok=True)
    source = "conformance/plugin/examples/rust/producer.rs"
    nightly_units.call(unit, ["rustc", "--crate-type", "cdylib", "--edition", "2021", "-O", source, "-o", library])
    printed = nightly_units.call(unit, ["build/release/bin/dlspec", "run", library])
    found(r"^Rust example 1\.0 conforms", printed, "the plug-in in Rust does not conform")
    match = found(r"^Rust example 1\.0: (\d+) pass", printed, "the plug-in in Rust was not judged")
    return {"cases of a plug-in in Rust that pass": int(match[1])}


def no_slurm(root):
    del root
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return "" if shutil.which("slurmctld", path=path) else "there is no slurmctld (Debian: slurm-wlm)"


# Of a unit: into how many parts, and what they do.
SLURM = ((4, ["run", "builtin"]), (2, ["fuzz", "builtin", "--minutes", "1"]))


def run_slurm(unit):
    """One run, or search, in parts; the merged run is the document of a whole one."""
    parts, command = SLURM[unit.number]
    folder = unit.path("build", "nightly", "slurm")
    shutil.rmtree(folder, ignore_errors=True)
    shards = ["bash", "fuzz/slurm_node", "bash", "fuzz/shards", "slurm", folder, str(parts), *command]
    printed = nightly_units.call(unit, shards)
    match = found(r"^dlspec [0-9.]+: (\d+) pass", printed, "the parts were not merged")
    if command[0] == "fuzz":
        return {"parts of a search": parts}
    whole = unit.path("build", "nightly", "whole.json")
    nightly_units.call(unit, ["build/release/bin/dlspec", *command, "--quiet", "--json", whole])
    if digest(whole) != digest(os.path.join(folder, "result.json")):
        raise Failure("the parts of a run, merged, are another document than the whole run")
    return {"cases of builtin that pass in parts": int(match[1])}


def digest(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["digest"]


def run_recipes(unit):
    folder = unit.path("build", "nightly", "recipes")
    printed = nightly_units.call(unit, ["bash", "conformance/setup/check-recipes", folder, "--build"], (0, SKIPPED))
    if "recipe: skipped: " in printed:
        return {"recipes skipped": 1}
    found(r"^Dockerfile, conda, vcpkg, Conan: nothing to object to$", printed, "a recipe is wrong")
    return {"recipes": 4}
