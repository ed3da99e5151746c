#!/usr/bin/env python3
"""Mutation tests: seeds faults into the sources, one at a time, and runs the tests that should fail.

mutants.py list [--only GLOB]   prints the mutants of the sources
mutants.py check                fails unless survivors.txt, rearrange.txt and fuzzed.txt fit the sources
mutants.py run [OPTIONS]        builds and tests mutants; resumes where the last run ended
    --build FOLDER    a build made with ninja, with its tests built (default: build/release)
    --list NAME       mutants (default), or rearrange: the faults of rearrange.txt
    --work FOLDER     where results are kept (default: FOLDER/mutants)
    --only GLOB       files, functions or FILE:FUNCTION that match
    --sample N        N mutants, drawn by --seed; for ctest, which runs the tests without a mutant beside
    --seed N          (default 1)
    --jobs N          so many at the same time (default 1)
    --again           discards earlier results
    --minutes N       starts no mutant after this time
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import shutil
import sys
import threading
import time

import builds
import engine
import lint
import listing
import lists

VERDICT_MIN = OPTIMIZED_MIN = 0.95
# What is printed together, and which part of it must be killed, except for the survivors that are explained.
GROUPS = (
    ("reference", "reference/", 1),
    ("optimized", ("optimized/validate/", "optimized/descriptor/", "optimized/infiniop/"), OPTIMIZED_MIN),
    ("rearrange", ("optimized/rearrange/", "optimized/cuda/"), 1),
    ("verdict", "conformance/", VERDICT_MIN),
)


def selected(mutants, options):
    if options.only:
        mutants = [
            mutant for mutant in mutants
            if any(fnmatch.fnmatch(name, options.only)
                   for name in (mutant["file"], mutant["function"], f"{mutant['file']}:{mutant['function']}"))
        ]  # fmt: skip
    if options.sample:
        # Cheap ones, whose survival nobody has explained.
        mutants = [mutant for mutant in mutants if mutant["file"].endswith(".cc") and "survives" not in mutant]
        mutants = sorted(mutants, key=lambda mutant: listing.draw(mutant, options.seed))[: options.sample]
    return mutants


def runnable(mutants):
    """The mutants in code that this processor runs."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        features = set(file.read().split())
    left_out = [mutant for mutant in mutants if "needs" in mutant and mutant["needs"] not in features]
    if left_out:
        features_missing = sorted({mutant["needs"] for mutant in left_out})
        print(f"{len(left_out)} left out: this processor has no {', '.join(features_missing)}")
    return [mutant for mutant in mutants if mutant not in left_out]


def fingerprint():
    """A hash of all sources and tests that take part: other sources make earlier results invalid."""
    digest = hashlib.sha256()
    for pattern in (
        "reference/**/*",
        "optimized/**/*",
        "conformance/**/*.cc",
        "conformance/**/*.h",
        "conformance/**/*.def",
    ):
        for path in sorted(glob.glob(pattern, root_dir=listing.ROOT, recursive=True)):
            if path.endswith((".cc", ".h", ".def")):
                with open(os.path.join(listing.ROOT, path), "rb") as file:
                    digest.update(path.encode() + b"\0" + file.read())
    return digest.hexdigest()


class Results:
    """The results so far, on disk after every mutant.

    A kill is valid as long as the file with the fault does not change; a survivor is tried again after a change of any
    source or test.
    """

    def __init__(self, folder, again):
        self.path = os.path.join(folder, "results.json")
        self.lock = threading.Lock()
        self.answers, self.fingerprint = {}, fingerprint()
        if os.path.exists(self.path) and not again:
            with open(self.path, encoding="utf-8") as file:
                self.answers = json.load(file)

    @staticmethod
    def _name(mutant):
        text = "\n".join(listing.read(mutant["file"]))
        return (
            "\t".join(str(part) for part in listing.key(mutant)) + "\t" + hashlib.sha256(text.encode()).hexdigest()[:16]
        )

    def get(self, mutant):
        answer = self.answers.get(self._name(mutant))
        if answer is None or (answer["what"] == "survived" and answer["fingerprint"] != self.fingerprint):
            return None
        return answer["what"], answer["by"]

    def put(self, mutant, answer):
        with self.lock:
            self.answers[self._name(mutant)] = {"what": answer[0], "by": answer[1], "fingerprint": self.fingerprint}
            with open(self.path + ".new", "w", encoding="utf-8") as file:
                json.dump(self.answers, file)
            os.replace(self.path + ".new", self.path)


def line_of(mutant):
    _, number = listing.applied(mutant)
    return f"{mutant['file']}:{number} {mutant['function']}: {mutant['breaks']}"


def run_all(mutants, results, options):
    """Tries the mutants without a result. True when all of them were tried."""
    build = builds.Build(options.build, {mutant["file"] for mutant in mutants})
    pending = [mutant for mutant in mutants if results.get(mutant) is None]
    if not pending:
        return True
    failing = engine.failing_beside if options.sample else engine.failing_without_mutants
    for complaint in failing(build, options.work, pending):
        sys.exit(complaint)
    workshops = [engine.Workshop(build, os.path.join(options.work, f"job-{i}")) for i in range(options.jobs)]
    free, deadline, done = list(workshops), time.monotonic() + 60 * (options.minutes or 1e9), 0

    def work(mutant):
        if time.monotonic() > deadline:
            return None
        workshop = free.pop()
        try:
            answer = workshop.try_out(mutant)
        finally:
            free.append(workshop)
        results.put(mutant, answer)
        return answer

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant, answer in zip(pending, pool.map(work, pending)):
            done += 1
            if answer is None:
                return False
            by = f"by {answer[1]}" if answer[0] == "killed" else ""
            live(
                f"[{done}/{len(pending)}] {answer[0]} {by} {line_of(mutant)}",
                keep=answer[0] == "survived" and "survives" not in mutant,
            )
    live("", keep=False)
    return True


def live(text, keep):
    width = shutil.get_terminal_size().columns - 1
    if sys.stdout.isatty():
        print("\r" + text[:width].ljust(width), end="\n" if keep else "", flush=True)
    elif text:
        print(text, flush=True)


def summary(mutants, results, complete):
    """Prints the figures; the exit status."""
    bad = not complete
    for title, folder, least in GROUPS:
        group = [mutant for mutant in mutants if mutant["file"].startswith(folder)]
        answers = {
            name: [m for m in group if (results.get(m) or ("",))[0] == name]
            for name in ("killed", "survived", "stillborn")
        }
        explained = [mutant for mutant in answers["survived"] if "survives" in mutant]
        unexplained = [mutant for mutant in answers["survived"] if "survives" not in mutant]
        alive = len(answers["killed"]) + len(answers["survived"])
        if not group:
            continue
        score = len(answers["killed"]) / max(alive - len(explained), 1)
        print(
            f"{title}: {len(group)} mutants, {len(answers['killed'])} killed, "
            f"{len(explained)} survive and are explained, {len(unexplained)} survive, "
            f"{len(answers['stillborn'])} do not compile, "
            f"{len(group) - alive - len(answers['stillborn'])} not tried"
        )
        for mutant in unexplained:
            print(f"  survived: {line_of(mutant)}\n    {mutant['line']}\n    {mutant['wrong']}")
            if "at" in mutant:
                print(f"  its entry in survivors.txt, if no test can kill it:\n{lists.survivor_text(mutant)}")
        for mutant in answers["killed"]:
            if "survives" in mutant:
                print(f"  killed although survivors.txt explains why it cannot be: {line_of(mutant)}")
                bad = True
        if title == "rearrange":  # chosen by hand: each of them must compile
            for mutant in answers["stillborn"]:
                print(f"  does not compile: {line_of(mutant)}\n    {results.get(mutant)[1]}")
            bad |= bool(answers["stillborn"])
        bad |= score < least
    return 1 if bad else 0


def print_list(mutants):
    """All mutants, one after the other, as blocks of the fault, the line and the wrong line."""
    for mutant in mutants:
        print(f"{line_of(mutant)}\n    {mutant['line']}\n    {mutant['wrong']}")
        if "survives" in mutant:
            print(f"    survives: {mutant['survives']}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("action", choices=("list", "check", "run"))
    parser.add_argument("--list", choices=("mutants", "rearrange"), default="mutants")
    parser.add_argument("--build", default=os.path.join(listing.ROOT, "build", "release"))
    parser.add_argument("--work")
    parser.add_argument("--only")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--minutes", type=float)
    options = parser.parse_args()
    by_name = {"mutants": listing.make(), "rearrange": lists.load_rearrange()}
    survivors = lists.load_survivors()
    unmatched = lists.explain(by_name["mutants"], survivors)
    if options.action == "list":
        print_list(selected(by_name["mutants"], options))
        return 0
    faults = [
        *lint.of_mutants(by_name["mutants"]),
        *lint.of_survivors(survivors, unmatched),
        *lint.of_rearrange(by_name["rearrange"]),
        *lint.of_fuzzed(lists.load_fuzzed()),
    ]
    if faults:
        print("\n".join(faults), "\nfuzz/mutants/README.md says what to do", sep="")
        return 1
    if options.action == "check":
        counts = collections.Counter(listing.group_of(mutant["file"]) for mutant in by_name["mutants"])
        groups = ", ".join(f"{count:,} in {name}" for name, count in sorted(counts.items()))
        print(
            f"{len(by_name['mutants']):,} mutants ({groups}), {len(survivors)} of them survive and say why; "
            f"{len(by_name['rearrange'])} faults of rearrange.txt"
        )
        return 0
    options.work = options.work or os.path.join(options.build, "mutants")
    os.makedirs(options.work, exist_ok=True)
    mutants = selected(runnable(by_name[options.list]), options)
    if not mutants:
        print("no mutant is selected")
        return 2
    results = Results(options.work, options.again)
    try:
        complete = run_all(mutants, results, options)
    except builds.NotBuilt as missing:
        print(missing)
        return 3
    return summary(mutants, results, complete)


if __name__ == "__main__":
    sys.exit(main())
