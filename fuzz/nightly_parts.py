"""The parts of the night: what they run, in how many units, and what they count."""

import dataclasses
import glob
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import typing

JOBS = os.cpu_count() or 1
CLEAN_PER_UNIT = 10_000_000
RUNS_PER_UNIT = 10
FUZZ_SECONDS_PER_UNIT = 300
SMALL_WORLD_SHARE, SMALL_WORLD_UNITS = 10, 20
ODD_UNITS = 10
MUTANT_MINUTES_AT_ONCE = 5  # then the figures so far are shown


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


def call(unit, command, allowed=(0,), **options):
    """Runs a command to its end and returns what it printed."""
    done = subprocess.run(
        command,
        cwd=unit.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        **options,
    )
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


# --- clean: random conforming tensors


def run_clean(unit):
    first = unit.number * CLEAN_PER_UNIT
    printed = call(
        unit,
        [
            unit.path("build", "release", "fuzz", "clean_tensors"),
            "--count",
            str(CLEAN_PER_UNIT),
            "--first",
            str(first),
            "--seed",
            str(unit.seed),
        ],
    )
    judged = re.search(
        r"^(\d+) conforming tensors .* judged by reference and optimized: 0 false alarms$", printed, re.M
    )
    if not judged or int(judged.group(1)) != CLEAN_PER_UNIT:
        raise Failure(f"clean_tensors did not judge {CLEAN_PER_UNIT} tensors:\n{printed[-2000:]}")
    return {
        "conforming tensors without a false alarm": unit.facts.get("conforming tensors without a false alarm", 0)
        + int(judged.group(1))
    }


# --- small_world: layouts of rank 4


def run_small_world(unit):
    seed = unit.seed % 1_000_000
    printed = call(
        unit,
        [
            unit.path("build", "release", "fuzz", "small_world"),
            "--share",
            str(SMALL_WORLD_SHARE),
            "--seed",
            str(seed),
            "--unit",
            str(unit.number),
            "--units",
            str(SMALL_WORLD_UNITS),
        ],
    )
    compared = re.search(
        r"^(\d+) layouts, of the (\d+) of rank 4 one of (\d+) drawn .*: (\d+) copies, 0 differences$", printed, re.M
    )
    # The draw is even: no unit is off by more than a hundredth.
    expected = int(compared.group(2)) / SMALL_WORLD_SHARE / SMALL_WORLD_UNITS if compared else 0
    if (
        not compared
        or int(compared.group(3)) != SMALL_WORLD_SHARE
        or abs(int(compared.group(1)) - expected) > expected / 100
    ):
        raise Failure(f"small_world did not compare a unit's share:\n{printed[-2000:]}")
    return {
        "layouts of rank 4": unit.facts.get("layouts of rank 4", 0) + int(compared.group(1)),
        "of": int(compared.group(2)),
        "copies": unit.facts.get("copies", 0) + int(compared.group(4)),
    }


# --- mutants, faults: seeded faults, and those chosen by hand


def run_mutants(unit, which="mutants"):
    minutes = min(MUTANT_MINUTES_AT_ONCE, unit.seconds / 60)
    printed = call(
        unit,
        [
            sys.executable,
            "-B",
            unit.path("fuzz", "mutants", "mutants.py"),
            "run",
            "--list",
            which,
            "--jobs",
            str(JOBS),
            "--minutes",
            f"{minutes:.2f}",
            "--work",
            unit.path("build", "nightly", which),
        ],
        allowed=(0, 1),
    )
    figures = {}
    for group, listed, killed, untried in re.findall(
        r"^(\w+): (\d+) mutants, (\d+) killed, \d+ survive and are explained, \d+ survive, \d+ do not compile, "
        r"(\d+) not tried$",
        printed,
        re.M,
    ):
        figures |= {f"killed in {group}": f"{killed} of {listed}"}
        if int(untried):
            figures["unfinished"] = True
    if not figures or (
        "unfinished" not in figures and re.search(r"^  (survived|killed although|does not compile)", printed, re.M)
    ):
        raise Failure(
            "mutants survived:\n" + "\n".join(line for line in printed.splitlines() if not line.startswith("["))
        )
    return figures


# --- libfuzzer: coverage-guided runs of every target


def fuzz_targets(root):
    return sorted(
        os.path.basename(path)[len("fuzz_") : -len(".cc")]
        for path in glob.glob(os.path.join(root, "fuzz", "targets", "fuzz_*.cc"))
    )


def run_libfuzzer(unit):
    if not os.path.exists(unit.path("build", "fuzz", "build.ninja")):
        call(unit, ["cmake", "--preset", "fuzz", "-DDLSPEC_BUILD_TESTS=OFF"])
    call(unit, ["cmake", "--build", "build/fuzz", "--parallel", str(JOBS), "--target", "fuzz_replay"])
    targets = fuzz_targets(unit.root)
    name = targets[unit.number % len(targets)]
    corpus, found = unit.path("build", "nightly", "corpus", name), unit.path("build", "nightly", "found", name)
    os.makedirs(corpus, exist_ok=True)
    os.makedirs(found, exist_ok=True)
    printed = call(
        unit,
        [
            unit.path("build", "fuzz", "fuzz", f"fuzz_{name}"),
            "-max_len=512",
            f"-max_total_time={FUZZ_SECONDS_PER_UNIT}",
            f"-artifact_prefix={found}/",
            "-print_final_stats=1",
            corpus,
            unit.path("fuzz", "corpus", name),
        ],
    )
    executed = re.search(r"^stat::number_of_executed_units:\s*(\d+)$", printed, re.M)
    if not executed:
        raise Failure(f"fuzz_{name} printed no figures:\n{printed[-2000:]}")
    return {"inputs": unit.facts.get("inputs", 0) + int(executed.group(1))}


def no_clang(_):
    return "" if shutil.which("clang++") else "there is no clang++ (Debian: clang libclang-rt-14-dev)"


# --- builtin, numpy: the same seed gives the same document


def document_hash(path):
    """Of a result document without what may differ between two runs: times and the host."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    for field in ("host", "started", "finished", "seconds"):
        document.pop(field, None)
    if not document["results"]:
        raise Failure("the document holds no results")
    return hashlib.sha256(json.dumps(document).encode()).hexdigest()


def run_same(subject):
    def run(unit):
        path = unit.path("build", "nightly", f"{subject}.json")
        command = [unit.path("build", "release", "bin", "dlspec"), "run", subject, "--seed", "1", "--json", path]
        first = unit.facts.get("document")
        for _ in range(RUNS_PER_UNIT):
            call(unit, command)
            found = document_hash(path)[:16]
            first = first or found
            if found != first:
                shutil.copy(path, path + ".differs")
                raise Failure(f"another document than before in {path}.differs; repeat: {' '.join(command)}")
            os.replace(path, path + ".first")
        return {
            "document": first,
            "runs that gave the same": unit.facts.get("runs that gave the same", 0) + RUNS_PER_UNIT,
        }

    return run


# --- history: the faults that other libraries are known to have


def conformance_module(room, name):
    """A module of conformance/evidence/ROOM, which knows its subjects."""
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "conformance", "evidence", room)
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def history():
    return conformance_module("history", "bench")


def run_history(unit):
    bench = history()
    subject, rows = list(bench.subjects().items())[unit.number]
    try:
        outcomes = bench.Bench(unit.path("build", "release", "bin", "dlspec"), unit.path("build", "history")).judge(
            subject, rows
        )
    except bench.Unjudged as why:
        raise Failure(str(why)) from None
    missed = [bench.line_of(each) for each in outcomes if not each.found]
    if missed:
        raise Failure("\n".join(missed))
    name = "re-created faults found in the zoo" if subject == bench.ZOO else "known faults found in real releases"
    return {name: unit.facts.get(name, 0) + len(outcomes)}


# --- fleet: every release of the table is judged, and every deviation has its finding


def fleet():
    return conformance_module("fleet", "fleet")


def run_fleet(unit):
    module = fleet()
    subject = module.subjects.read_subjects()[unit.number]
    result = module.Store(unit.path("build", "fleet"), unit.path("build", "release")).judged(subject)
    skipped = result["counts"].get("skipped", 0)
    if "unjudged" in result and not skipped:
        raise Failure(f"{subject.text}: {result['unjudged']}")
    open_points = list(module.page.open_points([(subject, result)], module.subjects.read_findings()))
    if open_points:
        raise Failure("no finding of conformance/evidence/history explains this:\n" + "\n".join(open_points))
    name = "releases skipped" if skipped else "releases judged"
    return {name: unit.facts.get(name, 0) + 1}


# --- news: what came out since the table was pinned


def pinned():
    return [subject for subject in fleet().subjects.read_subjects() if subject.pinned]


def run_news(unit):
    news = conformance_module("fleet", "news")
    lines = news.news_of(
        unit.path("build", "release", "bin", "dlspec"), pinned()[unit.number], unit.path("build", "fleet", "news")
    )
    print("".join(f"{line}\n" for line in lines), end="", flush=True)
    name = "new releases" if lines else "pinned releases that are the newest"
    return {name: unit.facts.get(name, 0) + 1}


# --- matrix: each two libraries exchange arrays, and every failure has its finding


def pairs():
    return conformance_module("fleet", "pairs")


def run_matrix(unit):
    module = pairs()
    pair = module.read_pairs()[unit.number]
    document, why = module.judge(unit.path("build", "release", "bin", "dlspec"), pair)
    skipped = document["summary"].get("skipped", 0)
    if why and not skipped:
        raise Failure(why)
    open_points = list(module.open_points(pair, document, module.subjects.read_findings()))
    if open_points:
        raise Failure("no finding of conformance/evidence/history explains this:\n" + "\n".join(open_points))
    name = "pairs skipped" if skipped else "pairs that exchanged arrays"
    return {name: unit.facts.get(name, 0) + 1}


# --- reproducers: stand-alone scripts


def run_reproducers(unit):
    subject, rows = list(history().subjects().items())[unit.number]
    if subject == history().ZOO:
        checks = [unit.path("conformance", "reproducers", name) for name in ("zoo_check.py", "program_check.py")]
        printed = [call(unit, [sys.executable, "-B", check, unit.path("build", "release")]) for check in checks]
        shown, wrong = sum(int(re.search(r"(\d+) shown", each).group(1)) for each in printed), []
    else:
        try:
            shown, wrong = conformance_module("history", "reproduce").reproduce(
                unit.path("build", "release", "bin", "dlspec"), subject, rows
            )
        except history().Unjudged as why:
            raise Failure(str(why)) from None
    if wrong:
        raise Failure("\n".join(wrong))
    return {"scripts that show their fault": unit.facts.get("scripts that show their fault", 0) + shown}


# --- odd: subjects that are odd and conform


def run_odd(unit):
    runner = unit.path("conformance", "selfcheck", "odd", "every_row.py")
    share = f"{unit.number + 1}/{ODD_UNITS}"
    printed = call(unit, [sys.executable, "-B", runner, "--build", unit.path("build", "release"), "--part", share])
    judged = re.search(r"^(\d+) subjects, 0 blamed", printed, re.M)
    if not judged:
        raise Failure(f"every_row.py did not judge its share:\n{printed[-2000:]}")
    name = "odd subjects without a false alarm"
    return {name: unit.facts.get(name, 0) + int(judged.group(1))}


# --- style: the whole tree, clang-tidy included


def run_style(unit):
    printed = call(unit, ["bash", "conformance/setup/check-style", "--all"])
    read = re.search(r"clang-tidy on (\d+) files", printed)
    if not read:
        raise Failure(f"clang-tidy did not run:\n{printed[-2000:]}")
    return {"files without an objection": int(read.group(1))}


PARTS = (
    Part("style", "the formatters and linters, clang-tidy among them, have no objection to any file", 1, run_style),
    Part(
        "clean",
        "1,000,000,000 random conforming tensors, of which neither validator may find fault with one",
        100,
        run_clean,
    ),
    Part("odd", "the whole plan on every subject that is odd and conforms: none may be blamed", ODD_UNITS, run_odd),
    Part("mutants", "every mutant of the sources that fuzz/mutants covers: a test must fail", 1, run_mutants),
    Part(
        "faults",
        "every fault of fuzz/mutants/rearrange.txt: a test must fail",
        1,
        lambda unit: run_mutants(unit, "rearrange"),
    ),
    Part(
        "small_world",
        "a seeded tenth of all rearrangements of a small world of rank 4, every engine against the reference",
        SMALL_WORLD_UNITS,
        run_small_world,
    ),
    Part("libfuzzer", "two hours of libFuzzer with sanitizers over the fuzz targets", 24, run_libfuzzer, no_clang),
    Part("builtin", "1,000 runs of `dlspec run builtin` with one seed give one document", 100, run_same("builtin")),
    Part(
        "numpy", "200 runs of `dlspec run numpy@latest` with one seed give one document", 20, run_same("numpy@latest")
    ),
    Part(
        "history",
        "known faults of other libraries are found by the rule that they break, in the releases that have them",
        len(history().subjects()),
        run_history,
    ),
    Part(
        "fleet",
        "every release of conformance/evidence/fleet/subjects.json is judged, and every deviation has its finding",
        len(fleet().subjects.read_subjects()),
        run_fleet,
    ),
    Part(
        "news",
        "the newest releases are judged; what they changed is told, with a proposed baseline, and fails nothing",
        len(pinned()),
        run_news,
    ),
    Part(
        "matrix",
        "the pinned releases exchange arrays, each two libraries in one process, and every failure has its finding",
        len(pairs().read_pairs()),
        run_matrix,
    ),
    Part(
        "reproducers",
        "the stand-alone scripts for what failed show their fault, in the zoo and in these releases",
        len(history().subjects()),
        run_reproducers,
    ),
)
