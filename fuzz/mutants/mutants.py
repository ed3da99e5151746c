#!/usr/bin/env python3
"""Seeds faults into the sources, one at a time, and sees which tests notice.

mutants.py list                 makes the list (mutants.txt) anew from the sources
mutants.py check                fails unless both lists fit the sources
mutants.py run [OPTIONS]        builds and tries mutants; resumes where the last run ended
    --build FOLDER    a build made with ninja whose tests are built (default: build/release)
    --list NAME       mutants (default), or rearrange: the list that is chosen by hand
    --work FOLDER     where results are kept (default: FOLDER/mutants)
    --only GLOB       files, functions or FILE:FUNCTION that match
    --sample N        N of them, chosen by --seed
    --seed N          (default 1)
    --jobs N          so many at once (default 1)
    --again           forgets earlier results
    --minutes N       starts none after so long
"""

import argparse
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

import engine
import listing

ELSEWHERE_AT_LEAST = 0.95
# What is printed together, and which part of it must be killed, but for what is explained.
GROUPS = (
    ("reference", "reference/", 1),
    ("rearrange", "optimized/", 1),
    ("elsewhere", "conformance/", ELSEWHERE_AT_LEAST),
)


def lot(mutant, seed):
    """By what it changes, not by its place in the list: other mutants that come and go leave the sample as it is."""
    told = [str(seed), mutant["file"], mutant["function"], mutant["line"], mutant["wrong"] or ""]
    return hashlib.sha256("\0".join(told).encode()).hexdigest()


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
        mutants = sorted(mutants, key=lambda mutant: lot(mutant, options.seed))[: options.sample]
    return mutants


def runnable(mutants):
    """Those whose code this processor runs."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        features = set(file.read().split())
    left_out = [mutant for mutant in mutants if "needs" in mutant and mutant["needs"] not in features]
    if left_out:
        print(
            f"{len(left_out)} left out: this processor has no {', '.join(sorted({mutant['needs'] for mutant in left_out}))}"
        )
    return [mutant for mutant in mutants if mutant not in left_out]


def fingerprint():
    """Of all sources and tests that take part: with others, earlier results say nothing."""
    digest = hashlib.sha256()
    for pattern in (
        "reference/**/*",
        "optimized/**/*",
        "conformance/**/*.cc",
        "conformance/**/*.h",
        "conformance/**/*.def",
    ):
        for path in sorted(glob.glob(pattern, root_dir=listing.ROOT, recursive=True)):
            if path.endswith((".cc", ".h", ".def", ".inc")):
                with open(os.path.join(listing.ROOT, path), "rb") as file:
                    digest.update(path.encode() + b"\0" + file.read())
    return digest.hexdigest()


class Results:
    """What is known so far, on disk after every mutant.

    A kill stands as long as the file with the fault is the same. A survivor is tried again when any
    source or test has changed.
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
    """Tries what has no result yet. True when all were tried."""
    build = engine.Build(options.build, {mutant["file"] for mutant in mutants})
    pending = [mutant for mutant in mutants if results.get(mutant) is None]
    if not pending:
        return True
    for complaint in engine.unharmed(build, options.work, pending):
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
            live(
                f"[{done}/{len(pending)}] {answer[0]} {'by ' + answer[1] if answer[0] == 'killed' else ''} {line_of(mutant)}",
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
            f"{title}: {len(group)} mutants, {len(answers['killed'])} killed, {len(explained)} survive and are explained, "
            f"{len(unexplained)} survive, {len(answers['stillborn'])} do not compile, "
            f"{len(group) - alive - len(answers['stillborn'])} not tried"
        )
        for mutant in unexplained:
            print(f"  survived: {line_of(mutant)}\n    {mutant['line']}\n    {mutant['wrong']}")
        for mutant in answers["killed"]:
            if "survives" in mutant:
                print(f"  killed although the list explains why it cannot be: {line_of(mutant)}")
                bad = True
        if title == "rearrange":  # what somebody has chosen should say something
            for mutant in answers["stillborn"]:
                print(f"  does not compile: {line_of(mutant)}\n    {results.get(mutant)[1]}")
            bad |= bool(answers["stillborn"])
        bad |= bool(unexplained) if least == 1 else alive > 0 and len(answers["killed"]) / alive < least
        bad |= score < ELSEWHERE_AT_LEAST
    return 1 if bad else 0


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
    if options.action == "list":
        mutants, lost = listing.regenerate()
        print(f"{len(mutants)} mutants listed")
        for reason in lost:
            print(f'no longer listed: the survivor explained by "{reason}"')
        return 0
    lists = {"mutants": listing.load(), "rearrange": listing.load(listing.REARRANGE)}
    faults, chosen_by_hand = listing.lint(lists["mutants"]), listing.lint_rearrange(lists["rearrange"])
    if faults:
        print("\n".join(faults), f"\nmutants.txt does not fit the sources: run {listing.REGENERATE}", sep="")
    if chosen_by_hand:
        print(
            "\n".join(chosen_by_hand),
            "\nrearrange.txt does not fit the sources: say there what the line is now, and its fault",
            sep="",
        )
    if faults or chosen_by_hand:
        return 1
    if options.action == "check":
        explained = sum("survives" in mutant for mutant in lists["mutants"])
        print(
            f"{len(lists['mutants'])} mutants, {explained} of them survive and say why; {len(lists['rearrange'])} chosen by hand"
        )
        return 0
    options.work = options.work or os.path.join(options.build, "mutants")
    os.makedirs(options.work, exist_ok=True)
    mutants = selected(runnable(lists[options.list]), options)
    if not mutants:
        print("no mutant is selected")
        return 2
    results = Results(options.work, options.again)
    try:
        complete = run_all(mutants, results, options)
    except engine.NotBuilt as missing:
        print(missing)
        return 3
    return summary(mutants, results, complete)


if __name__ == "__main__":
    sys.exit(main())
