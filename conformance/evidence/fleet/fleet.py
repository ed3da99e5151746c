#!/usr/bin/env python3
"""Judges the libraries of subjects.json, pinned and older releases, and writes ../pages/fleet.md.

python3 conformance/evidence/fleet/fleet.py     what this build has not judged yet; resumes after an interrupt
    --list             the subjects and what is known of each
    --only NAME        this library (NAME) or release (NAME==1.2) alone; may be repeated
    --again            judges what was judged already
    --sparing          removes each older release's environment once it is judged: some 5 GB on disk instead of 40
    --check            writes nothing: exit status 1 where a deviation has no entry in ../history/faults.json
    --light            the test of the light part: pinned releases against the shipped baselines and counts
    --record           writes the counts of the light part into the table
    --news             what the newest releases change
    --page             writes the page again from results.json and exchanges.json, and judges nothing
"""

import argparse
import os
import platform
import shutil
import sys
import time

import light
import news
import page
import results
import subjects
from store import Store

ROOT = subjects.EVIDENCE.parent.parent
PAGE = subjects.EVIDENCE / "pages" / "fleet.md"
RESULTS = results.PATH


def live(text, end=False):
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        print("\r" + text[:width].ljust(width), end="\n" if end else "", flush=True)
    elif end:
        print(text, flush=True)


def line_of(subject, result):
    if result is None:
        return f"{subject.text}: to do"
    if "unjudged" in result:
        return f"{subject.text}: not judged: {result['unjudged']}"
    numbers = ", ".join(f"{count} {status}" for status, count in result["counts"].items() if status in page.STATUSES)
    return f"{subject.text}: {result['version']}, {result['seconds'].get('judging', 0):.1f} s of judging: {numbers}"


def judge_all(selected, store, options):
    for number, subject in enumerate(selected, 1):
        if not options.again and store.find(subject):
            continue
        label = f"[{number}/{len(selected)}]"
        live(f"{label} {subject.text} ...")
        result = store.judged(subject, options.again, options.sparing)
        live(f"{label} {line_of(subject, result)}", end=True)


def machine():
    system = (
        platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
        if hasattr(platform, "freedesktop_os_release")
        else platform.system()
    )
    busy = f"load average {os.getloadavg()[0]:.0f} when this was written, which lengthens the times"
    day = time.strftime("%-d %B %Y", time.gmtime())
    return f"{day}, {os.cpu_count()} cores of {platform.machine()}, {system}; {busy}."


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="fleet.py", description="Judges the libraries of subjects.json and writes pages/fleet.md."
    )
    parser.add_argument("--list", action="store_true", help="the subjects and what is known of each")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="this library or release alone; may be repeated"
    )
    parser.add_argument("--again", action="store_true", help="judges what was judged already")
    parser.add_argument(
        "--sparing", action="store_true", help="removes each older release's environment once it is judged"
    )
    parser.add_argument("--check", action="store_true", help="writes nothing, says what no finding explains")
    parser.add_argument("--light", action="store_true", help="the light part against baselines and counts")
    parser.add_argument("--record", action="store_true", help="writes the counts of the light part into the table")
    parser.add_argument("--news", action="store_true", help="what the newest releases change")
    parser.add_argument(
        "--partly", action="store_true", help="judges nothing, writes the page from what was judged and earlier rows"
    )
    parser.add_argument("--page", action="store_true", help="writes the page again from what is known")
    parser.add_argument(
        "--build", default=str(ROOT / "build" / "release"), metavar="FOLDER", help="where bin/dlspec is (build/release)"
    )
    parser.add_argument(
        "--state",
        default=str(ROOT / "build" / "fleet"),
        metavar="FOLDER",
        help="where the results are kept (build/fleet)",
    )
    return parser.parse_args(arguments)


def write_page(kept, findings):
    """Writes the page and its pictures, and removes pictures that it no longer shows."""
    text, drawn = page.page(kept, findings, results.read_exchanges())
    folder = PAGE.with_suffix("")
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    for name, picture in drawn.items():
        (folder / name).write_text(picture, encoding="utf-8")
    PAGE.write_text(text, encoding="utf-8")


def select(only):
    every = subjects.read_subjects()
    wanted = [subject for subject in every if not only or subject.library in only or subject.text in only]
    for name in only:
        if not any(name in (subject.library, subject.text) for subject in every):
            raise SystemExit(f"fleet.py: '{name}' is not in subjects.json")
    return wanted


def main(arguments):
    options = parse(arguments)
    if options.page:
        write_page(results.read(RESULTS), subjects.read_findings())
        return 0
    selected = select(options.only)
    dlspec = os.path.join(options.build, "bin", "dlspec")
    if options.light or options.record:
        task = light.record if options.record else light.run
        return task(dlspec, [subject for subject in selected if subject.light])
    store = Store(options.state, options.build)
    if options.news:
        return news.run(store, selected, os.path.join(options.state, "news"))
    if not options.list and not options.check and not options.partly:
        try:
            judge_all(selected, store, options)
        except KeyboardInterrupt:
            live("stopped; the same command goes on", end=True)
            return 130
    findings = subjects.read_findings()
    found = [(subject, store.find(subject)) for subject in subjects.read_subjects()]
    if options.list:
        print("\n".join(line_of(subject, result) for subject, result in found if subject in selected))
        return 0
    missing = [subject.text for subject, result in found if result is None]
    if options.partly:
        judged = [pair for pair in found if pair[1] is not None]
        earlier = results.read(RESULTS) if RESULTS.exists() else {"when": "", "rows": []}
        kept = results.completed(results.of(judged, findings, machine()), earlier)
        results.write(kept, RESULTS)
        write_page(kept, findings)
    elif missing:
        print(f"{len(missing)} of {len(found)} subjects are to do, {PAGE.name} stays as it is: {', '.join(missing)}")
    elif not options.check:
        kept = results.of(found, findings, machine())
        results.write(kept, RESULTS)
        write_page(kept, findings)
    problems = list(page.open_points([pair for pair in found if pair[1] is not None], findings))
    print("\n".join(problems + [f"{len(problems)} deviations without a finding"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
