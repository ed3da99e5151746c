"""Measures how long fuzz targets take to find seeded faults: the engine of fuzz/reach."""

import hashlib
import json
import os
import re
import shlex
import signal
import statistics
import subprocess
import tempfile

import libfuzzer
import listing
from builds import NotBuilt, in_source

# The mutator of fields with the dictionary, and libFuzzer's own mutations without one.
MODES = ("fields", "bytes")
BYTES_DEFINE = "-DDLSPEC_FUZZ_BYTES"
LONGEST_INPUT = 256
MEDIAN, WORST = 10, 600  # CPU-seconds
MARKS = ("<!-- reach: made by fuzz/reach --write -->\n", "<!-- /reach -->\n")


class Results:
    """What was measured, on disk after every run."""

    def __init__(self, path, again):
        self.path, self.runs = path, {}
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(path) and not again:
            with open(path, encoding="utf-8") as file:
                self.runs = json.load(file)

    @staticmethod
    def name(fault, mode, seed):
        """A result is valid as long as neither the file with the fault nor libFuzzer's options change."""
        text = "\0".join([listing.applied(fault)[0], fault["target"], *libfuzzer.options()])
        return f"{hashlib.sha256(text.encode()).hexdigest()[:16]} {mode} {seed}"

    def get(self, fault, mode, seed):
        return self.runs.get(self.name(fault, mode, seed))

    def put(self, fault, mode, seed, run):
        self.runs[self.name(fault, mode, seed)] = run
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.runs, file, indent=0)
        os.replace(self.path + ".new", self.path)

    def stillborn(self, faults):
        return [fault for fault in faults if self.get(fault, "compiler", 0)]


class Bench:
    """Builds targets with a fault in them, and lets them search."""

    def __init__(self, build, targets):
        self.build = os.path.abspath(build)
        self.folder = os.path.join(self.build, "reach")
        self.compile, self.link, self.objects = {}, {}, {}
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            raise NotBuilt(f"{build} is not there: cmake --preset fuzz")
        for target in targets:
            if not os.path.exists(os.path.join(self.build, "fuzz", f"fuzz_{target}")):
                raise NotBuilt(f"fuzz_{target} is not built: cmake --build {build} --target fuzz_{target}")
            self._read_commands(target)

    def _read_commands(self, target):
        program = f"fuzz_{target}"
        done = subprocess.run(
            ["ninja", "-C", self.build, "-t", "commands", program], capture_output=True, text=True, check=True
        )
        for command in done.stdout.splitlines():
            compiled = re.search(r" -o (\S+\.o) -c (\S+)$", command)
            if compiled:
                self.compile[compiled.group(2)] = (compiled.group(1), command)
            elif f" -o fuzz/{program} " in command:
                self.link[target] = command.split("&& ", 1)[1].rsplit(" && :", 1)[0]

    def _call(self, command):
        done = subprocess.run(shlex.split(command), cwd=self.build, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stderr

    def _compile_target(self, target):
        """The object of the target itself for each mode."""
        source = in_source(f"fuzz/targets/fuzz_{target}.cc")
        made, command = self.compile[source]
        for mode, define in zip(MODES, ("", BYTES_DEFINE)):
            own = os.path.join(self.folder, f"fuzz_{target}.{mode}.o")
            complaint = self._call(_to(command, made, own).replace(" -c ", f" {define} -c ", 1))
            if complaint:
                raise NotBuilt(complaint)
            self.objects[target, mode] = (made, own)

    def _build(self, fault):
        """The program for each mode; or None and the compiler's message."""
        if (fault["target"], MODES[0]) not in self.objects:
            self._compile_target(fault["target"])
        changed = os.path.join(self.folder, os.path.basename(fault["file"]))
        with open(changed, "w", encoding="utf-8") as file:
            file.write(listing.applied(fault)[0])
        made, command = self.compile[in_source(fault["file"])]
        faulty = os.path.join(self.folder, "faulty.o")
        command = _to(command, made, faulty).replace(f" -c {in_source(fault['file'])}", f" -c {changed}")
        complaint = self._call(command.replace(" -Werror ", " -w "))
        programs = {}
        for mode in MODES if not complaint else ():
            target_object, own = self.objects[fault["target"], mode]
            programs[mode] = os.path.join(self.folder, f"faulty_{mode}")
            # Before the libraries: the linker uses the first definition that it meets.
            link = self.link[fault["target"]].replace(f" {target_object} ", f" {own} {faulty} ")
            link = re.sub(r" -o \S+ ", f" -o {programs[mode]} ", link)
            complaint = complaint or self._call(link)
        return (None, complaint) if complaint else (programs, "")

    def measure(self, fault, seeds, limits, results):
        """`limits`: the modes, each with the CPU-seconds after which a run gives up."""
        missing = [(mode, seed) for seed in seeds for mode in limits if not results.get(fault, mode, seed)]
        if not missing:
            return
        programs, complaint = self._build(fault)
        if complaint:
            results.put(fault, "compiler", 0, {"said": complaint[-1000:]})
            print(complaint)
            return
        dictionary = os.path.join(self.build, "fuzz", f"fuzz_{fault['target']}.dict")
        for mode, seed in missing:
            options = [f"-dict={dictionary}"] if mode == "fields" and os.path.exists(dictionary) else []
            run = _search(programs[mode], seed, limits[mode], options)
            results.put(fault, mode, seed, run)
            found = "found" if run["found"] else "not found"
            print(f"    {mode}, seed {seed}: {found}, {run['inputs']:,} inputs, {run['cpu']:.1f} s", flush=True)


def _to(command, made, own):
    command = re.sub(r" -MD -MT \S+ -MF \S+", "", command)
    return re.sub(r"^\S*ccache ", "", command).replace(f" -o {made}", f" -o {own}")


def _search(program, seed, seconds, options):
    """One run of libFuzzer from an empty corpus."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        done, used = libfuzzer.timed(
            [program, *libfuzzer.options(seed=seed, max_len=LONGEST_INPUT, len_control=0),
             "-print_final_stats=1", f"-artifact_prefix={folder}/", *options, corpus],
            seconds,
        )  # fmt: skip
    return {
        "found": done.returncode not in (0, -signal.SIGXCPU),
        "inputs": libfuzzer.executed(done.stderr),
        "cpu": round(used, 2),
    }


def _cell(runs):
    """ "5 of 5, 12,300 inputs, 0.4 s (worst 1.1)": medians."""
    found = [run for run in runs if run["found"]]
    if not runs:
        return "not measured"
    if not found:
        return f"0 of {len(runs)} in {max(run['cpu'] for run in runs):.0f} s"
    inputs = statistics.median(run["inputs"] for run in found)
    seconds = statistics.median(run["cpu"] for run in found)
    return f"{len(found)} of {len(runs)}, {inputs:,.0f}, {seconds:.1f} s (worst {max(run['cpu'] for run in found):.1f})"


def _runs(fault, results, mode, seeds):
    runs = [results.get(fault, mode, seed) for seed in range(1, seeds + 1)]
    return [run for run in runs if run]


def table(faults, results, seeds):
    """In Markdown, with a sentence that sums it up."""
    lines, totals = [], []
    for fault in faults:
        cells = [_cell(_runs(fault, results, mode, seeds)) for mode in MODES]
        lines.append(f"| {fault['target']} | {fault['breaks']} | {fault['fields']} | {cells[0]} | {cells[1]} |")
    for mode in MODES:
        tried = [_runs(fault, results, mode, seeds) for fault in faults]
        tried = [runs for runs in tried if runs]
        always = sum(all(run["found"] for run in runs) for runs in tried)
        totals.append(f"{always} of {len(tried)} faults by every seed")
    return (
        f"With the mutator of fields and the dictionary: {totals[0]}; with libFuzzer's own mutations: {totals[1]}. "
        "Each cell: seeds that found it, the median of the inputs and CPU-seconds of these, and the worst.\n\n"
        "| target | fault | fields | fields and dictionary | bytes |\n|---|---|---|---|---|\n" + "\n".join(lines) + "\n"
    )


def complaints(faults, results, seeds):
    """A sentence for each fault that was not found by every seed and in time."""
    said = []
    for fault in faults:
        runs = _runs(fault, results, "fields", seeds)
        if len(runs) < seeds or not all(run["found"] for run in runs):
            said.append(f"not found by every seed: {fault['breaks']}")
        elif statistics.median(run["cpu"] for run in runs) > MEDIAN or max(run["cpu"] for run in runs) > WORST:
            said.append(f"found too late: {fault['breaks']}")
    for sentence in said:
        print(sentence)
    return said


def write_into(path, text):
    """Replaces what stands between the marks."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    head, rest = page.split(MARKS[0], 1)
    tail = rest.split(MARKS[1], 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + MARKS[0] + text + MARKS[1] + tail)
