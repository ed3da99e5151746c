"""Parts of the night that judge releases of other libraries."""

import re
import sys

import nightly_units
from nightly_units import Failure, evidence_module

# --- history: the faults that other libraries are known to have


def history():
    return evidence_module("history", "bench")


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
    return evidence_module("fleet", "fleet")


def store(unit):
    """What the fleet knows already of this build."""
    return fleet().Store(unit.path("build", "fleet"), unit.path("build", "release"))


def run_fleet(unit):
    module = fleet()
    subject = module.subjects.read_subjects()[unit.number]
    result = store(unit).judged(subject)
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
    news = evidence_module("fleet", "news")
    lines = news.news_of(store(unit), pinned()[unit.number], unit.path("build", "fleet", "news"))
    print("".join(f"{line}\n" for line in lines), end="", flush=True)
    name = "new releases" if lines else "pinned releases that are the newest"
    return {name: unit.facts.get(name, 0) + 1}


# --- matrix: each two libraries exchange arrays, and every failure has its finding


def pairs():
    return evidence_module("fleet", "pairs")


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
        printed = [
            nightly_units.call(unit, [sys.executable, "-B", check, unit.path("build", "release")]) for check in checks
        ]
        shown, wrong = sum(int(re.search(r"(\d+) shown", each).group(1)) for each in printed), []
    else:
        try:
            shown, wrong = evidence_module("history", "reproduce").reproduce(
                unit.path("build", "release", "bin", "dlspec"), subject, rows
            )
        except history().Unjudged as why:
            raise Failure(str(why)) from None
    if wrong:
        raise Failure("\n".join(wrong))
    return {"scripts that show their fault": unit.facts.get("scripts that show their fault", 0) + shown}
