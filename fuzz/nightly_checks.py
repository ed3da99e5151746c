"""Parts of the night that try dlspec itself: tensors, layouts, mutants, fuzz targets, repeated runs, odd subjects."""

import glob
import hashlib
import json
import os
import re
import shutil
import sys

import libfuzzer
import nightly_units
from nightly_units import JOBS, Failure

CLEAN_PER_UNIT = 10_000_000
RUNS_PER_UNIT = 10
FUZZ_SECONDS_PER_UNIT = 300
SMALL_WORLD_SHARE, SMALL_WORLD_UNITS = 10, 20
ODD_UNITS = 10
MUTANT_MINUTES_AT_ONCE = 5  # then the figures so far are shown


def run_fuzz_program(unit, name, options):
    """What build/release/fuzz/NAME printed; `options`: the numbers behind its long options."""
    given = [word for option, number in options.items() for word in (f"--{option}", str(number))]
    return nightly_units.call(unit, [unit.path("build", "release", "fuzz", name), *given])


# --- clean: random conforming tensors


def run_clean(unit):
    first = unit.number * CLEAN_PER_UNIT
    printed = run_fuzz_program(unit, "clean_tensors", {"count": CLEAN_PER_UNIT, "first": first, "seed": unit.seed})
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
    options = {"share": SMALL_WORLD_SHARE, "seed": seed, "unit": unit.number, "units": SMALL_WORLD_UNITS}
    printed = run_fuzz_program(unit, "small_world", options)
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
    printed = nightly_units.call(
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


def build_targets(unit):
    if not os.path.exists(unit.path("build", "fuzz", "build.ninja")):
        nightly_units.call(unit, ["cmake", "--preset", "fuzz", "-DDLSPEC_BUILD_TESTS=OFF"])
    nightly_units.call(unit, ["cmake", "--build", "build/fuzz", "--parallel", str(JOBS), "--target", "fuzz_replay"])


def run_libfuzzer(unit):
    build_targets(unit)
    targets = fuzz_targets(unit.root)
    name = targets[unit.number % len(targets)]
    corpus, found = unit.path("build", "nightly", "corpus", name), unit.path("build", "nightly", "found", name)
    os.makedirs(corpus, exist_ok=True)
    os.makedirs(found, exist_ok=True)
    seeds = unit.path("fuzz", "corpus", name)
    dictionary = unit.path("build", "fuzz", "fuzz", f"fuzz_{name}.dict")
    longest = max(os.path.getsize(os.path.join(seeds, seed)) for seed in os.listdir(seeds))
    printed = nightly_units.call(
        unit,
        [
            unit.path("build", "fuzz", "fuzz", f"fuzz_{name}"),
            *libfuzzer.options(max_len=max(512, 2 * longest)),
            *([f"-dict={dictionary}"] if os.path.exists(dictionary) else []),
            f"-max_total_time={FUZZ_SECONDS_PER_UNIT}",
            f"-artifact_prefix={found}/",
            "-print_final_stats=1",
            corpus,
            seeds,
        ],
        env=libfuzzer.environment(),
    )
    executed = re.search(r"^stat::number_of_executed_units:\s*(\d+)$", printed, re.M)
    if not executed:
        raise Failure(f"fuzz_{name} printed no figures:\n{printed[-2000:]}")
    return {"inputs": unit.facts.get("inputs", 0) + int(executed.group(1))}


# --- proofs: theorems about the arithmetic


def run_proofs(unit):
    printed = nightly_units.call(unit, ["bash", "fuzz/proofs/prove"])
    proved = re.search(r"^(\d+) of \1 theorems are proved", printed, re.M)
    if not proved:
        raise Failure(f"not every theorem was proved:\n{printed[-2000:]}")
    return {"theorems": int(proved.group(1))}


# --- reach: seeded faults that the fuzz targets must find


def run_reach(unit):
    build_targets(unit)
    minutes = min(MUTANT_MINUTES_AT_ONCE, unit.seconds / 60)
    command = [sys.executable, "-B", unit.path("fuzz", "reach"), "--minutes", f"{minutes:.2f}", "--check"]
    printed = nightly_units.call(unit, command, allowed=(0, 1))
    if "not measured" in printed:
        return {"unfinished": True}
    late = [line for line in printed.splitlines() if line.startswith(("not found by", "found too late"))]
    if late or "by every seed" not in printed:
        raise Failure("\n".join(late) or printed[-2000:])
    return {"faults": printed.count("\n| ") - 1}


def no_clang(_):
    return "" if shutil.which("clang++") else "there is no clang++ (Debian: clang libclang-rt-14-dev)"


# --- builtin, numpy: the same seed gives the same document


def document_hash(path):
    """The hash of a result document without what may differ between two runs: times and the host."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    for field in ("host", "started", "finished", "seconds"):
        document.pop(field, None)
    if not sum(document["summary"].values()):
        raise Failure("the document holds no results")
    return hashlib.sha256(json.dumps(document).encode()).hexdigest()


def run_same(subject):
    def run(unit):
        path = unit.path("build", "nightly", f"{subject}.json")
        command = [unit.path("build", "release", "bin", "dlspec"), "run", subject, "--seed", "1", "--json", path]
        first = unit.facts.get("document")
        for _ in range(RUNS_PER_UNIT):
            nightly_units.call(unit, command)
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


# --- samples: what ctest asks a part of the plan is asked the whole


def run_selftest(unit):
    dlspec = unit.path("build", "release", "bin", "dlspec")
    printed = nightly_units.call(unit, [dlspec, "selftest", "--thorough"])
    shown = re.search(r"^\d+ rules: (\d+) faulty subjects and (\d+) twins in workers;", printed, re.M)
    if not shown:
        raise Failure(f"the self-test did not say what it has shown:\n{printed[-2000:]}")
    return {"faulty subjects": int(shown.group(1)), "twins": int(shown.group(2))}


def run_conditional(unit):
    test = unit.path("conformance", "selfcheck", "conditional", "conditional_test.py")
    nightly_units.call(unit, [sys.executable, "-B", test, unit.path("build", "release")])
    return {}


def run_determinism(unit):
    test = unit.path("conformance", "command", "determinism_test")
    honest = unit.path("conformance", "selfcheck", "fakes", "honest.py")
    nightly_units.call(unit, ["bash", test, unit.path("build", "release"), honest, "4", "--python", sys.executable])
    return {}


SAMPLES = (run_selftest, run_conditional, run_determinism)


def run_samples(unit):
    return SAMPLES[unit.number](unit)


# --- odd: subjects that are odd and conform


def run_odd(unit):
    runner = unit.path("conformance", "selfcheck", "odd", "every_row.py")
    share = f"{unit.number + 1}/{ODD_UNITS}"
    printed = nightly_units.call(
        unit, [sys.executable, "-B", runner, "--build", unit.path("build", "release"), "--part", share]
    )
    judged = re.search(r"^(\d+) subjects, 0 blamed", printed, re.M)
    if not judged:
        raise Failure(f"every_row.py did not judge its share:\n{printed[-2000:]}")
    name = "odd subjects without a false alarm"
    return {name: unit.facts.get(name, 0) + int(judged.group(1))}


# --- style: the whole tree, clang-tidy included


def run_style(unit):
    printed = nightly_units.call(unit, ["bash", "conformance/setup/check-style", "--all"])
    read = re.search(r"clang-tidy on (\d+) files", printed)
    if not read:
        raise Failure(f"clang-tidy did not run:\n{printed[-2000:]}")
    return {"files without an objection": int(read.group(1))}
