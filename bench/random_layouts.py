"""Times random layouts against the other libraries, and says how the engines did.

    python3 bench/random_layouts.py run BENCH FOLDER [--seed N] [--count N] [--threads N] [--rounds N] [--engines A,B]
    python3 bench/random_layouts.py report FOLDER

BENCH is the program bench_rearrange. Results go to FOLDER, some layouts at a time, so that a run that was stopped goes
on where it was; the other options are kept there. The last of the engines is the one that is judged: its rate over that
of the fastest peer, and over that of every other engine.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

import layouts

CHUNK = 10  # layouts per process of bench_rearrange
BOUNDS = (0.5, 0.7, 0.85, 0.95, 1.0, 1.1, 1.3, 1.6, 2, 3, 5, 10)  # of the histogram
WORST = 20


def _write(path, text):
    """Whole or not at all: a file that is there is finished."""
    temporary = path.with_suffix(".part")
    temporary.write_text(text)
    os.replace(temporary, path)


def _settings(folder, options):
    """Those of the folder if it has any: a result belongs to one seed and one way of timing."""
    path = folder / "settings.json"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, json.dumps(options))
    kept = json.loads(path.read_text())
    if {**kept, "count": 0} != {**options, "count": 0}:
        raise SystemExit(f"{folder} was begun with {kept}")
    return options


def _run_chunk(program, folder, options, first, count):
    cases = folder / "cases.json"
    cases.write_text(json.dumps({"cases": [layouts.draw(options["seed"], first + i) for i in range(count)]}))
    part = folder / "figures.part"
    command = [program, "--cases", cases, "--limits", "no", "--json", part]
    for name in ("threads", "rounds", "engines"):
        command += [f"--{name}", str(options[name])]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    os.replace(part, folder / f"{first:06}.json")


def run(program, folder, options):
    options = _settings(folder, options)
    for first in range(0, options["count"], CHUNK):
        if not (folder / f"{first:06}.json").exists():
            _run_chunk(program, folder, options, first, min(CHUNK, options["count"] - first))
            print(f"\r{first + CHUNK} of {options['count']}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def read(folder):
    """(cases, engines, the versions of the peers)"""
    cases, peers = [], ""
    for path in sorted(folder.glob("[0-9]*.json")):
        document = json.loads(path.read_text())
        cases += document["cases"]
        peers = document["peers"]
    engines = json.loads((folder / "settings.json").read_text())["engines"].split(",")
    return cases, engines, peers


def against_peers(cases, engine):
    """(rate over that of the fastest peer, case), the slowest first; cases that no peer can do are left out."""
    found = []
    for case in cases:
        peers = [case["ratios"][peer] for peer in case["peers"]]
        if peers:
            found.append((case["ratios"][engine] / max(peers), case))
    return sorted(found, key=lambda one: one[0])


def histogram(ratios):
    lines = []
    for low, high in zip((0, *BOUNDS), (*BOUNDS, math.inf)):
        count = sum(low <= ratio < high for ratio in ratios)
        bar = "#" * math.ceil(60 * count / len(ratios))
        lines.append(f"{low:5} to {high:5} {count:5}  {bar}".rstrip())
    return lines


def _geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def _line(ratio, case, engine):
    layout = layouts.draw(*(int(number) for number in case["name"].split("/")))
    times = {
        name: f"{case['memcpy_us'] / case['ratios'][name]:.1f}"
        for name in (engine, *case["peers"], "memcpy")
        if name in case["ratios"]
    }
    text = ", ".join(f"{name} {time}" for name, time in times.items())
    where = f"{layout['item']} bytes {layout['shape']} to {layout['to']} from {layout['from']}"
    return f"{ratio:.2f}  {case['name']} ({case['class']}) {where}: {text} us"


def report(cases, engines, peers):
    best = engines[-1]
    judged = against_peers(cases, best)
    ratios = [ratio for ratio, _ in judged]
    if not ratios:
        raise SystemExit(f"No peer was timed: {peers}")
    share = {bound: 100 * sum(ratio < bound for ratio in ratios) / len(ratios) for bound in (0.85, 0.95, 1.1)}
    yield f"{best} against the fastest of {peers}: {len(ratios)} layouts"
    yield f"geometric mean {_geometric_mean(ratios):.2f}, worst {ratios[0]:.2f}"
    yield f"at least 1.10: {100 - share[1.1]:.1f} %, below 0.95: {share[0.95]:.1f} %, below 0.85: {share[0.85]:.1f} %"
    yield from histogram(ratios)
    yield f"the worst {WORST}"
    yield from (_line(ratio, case, best) for ratio, case in judged[:WORST])
    for simpler in engines[:-1]:
        slower = sorted((case["ratios"][best] / case["ratios"][simpler], case["name"]) for case in cases)
        beyond = [f"{name} {ratio:.2f}" for ratio, name in slower if ratio < 1 / 1.3]
        mean = _geometric_mean([ratio for ratio, _ in slower])
        names = ", ".join(beyond) or "none"
        yield f"{best} against {simpler}: geometric mean {mean:.2f}, slower than 1.3 times: {names}"


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("program")
    runs.add_argument("folder", type=pathlib.Path)
    for name, default in (("seed", 1), ("count", 1000), ("threads", 1), ("rounds", 7)):
        runs.add_argument(f"--{name}", type=int, default=default)
    runs.add_argument("--engines", default="scalar,sse2,avx2,avx512", help="default: %(default)s")
    commands.add_parser("report").add_argument("folder", type=pathlib.Path)
    given = vars(parser.parse_args(arguments))
    command, folder = given.pop("command"), given.pop("folder")
    if command == "run":
        run(given.pop("program"), folder, given)
    print("\n".join(report(*read(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
