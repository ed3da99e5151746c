"""What the results say: which deviations have an entry among the findings, and the page pages/fleet.md."""

import subjects

STATUSES = ("pass", "fail", "crash", "timeout", "warn", "info", "unsupported")
SHOWN = ("pass", "fail", "warn", "info", "unsupported")  # a crash and a timeout count as a fail
SEVERITY = ("fail", "warn", "info")
FINDING_STATUS = {"crash": "fail", "timeout": "fail"}  # as faults.json says it
WORDS = (
    "| library | version | CPython | environment | import | judging | " + " | ".join(SHOWN) + " | findings |",
    "|---|---|---|" + "---:|" * 9,
)


def key_of(package, entry):
    return package, entry["role"], entry["rule"]


def index(findings):
    """Findings by what they may explain."""
    known = {}
    for finding in findings:
        for rule in (finding["rule"], *finding.get("also", ())):
            known.setdefault((finding["package"], finding["role"], rule), []).append(finding)
    return known


def explaining(deviation, findings):
    """Ids of the findings of its status; else of those that are worse: the same fault where it does less harm."""
    weight = SEVERITY.index(FINDING_STATUS.get(deviation["status"], deviation["status"]))
    same = [finding["id"] for finding in findings if SEVERITY.index(finding["status"]) == weight]
    return same or [finding["id"] for finding in findings if SEVERITY.index(finding["status"]) < weight]


def is_free(deviation, remarks):
    """Whether it needs no finding: an info with a remark, or what no producer may bring about (hostile=NAME)."""
    if deviation["status"] in ("warn", "info") and "/hostile=" in deviation["case"]:
        return True
    return deviation["status"] == "info" and deviation["rule"] in remarks


def explained(library, result, known):
    """The ids of the findings that the result shows, and the deviations that no finding is about."""
    package = subjects.package_of(library)
    free = subjects.read_remarks()
    ids, unexplained = [], []
    for deviation in result["deviations"]:
        found = explaining(deviation, known.get(key_of(package, deviation), ()))
        if not found and not is_free(deviation, free):
            unexplained.append(deviation)
        ids += [name for name in found if name not in ids]
    return ids, unexplained


def open_points(results, findings):
    """What no finding explains, one line for each library, role, rule and status."""
    known, points = index(findings), {}
    for subject, result in results:
        for deviation in explained(subject.library, result, known)[1]:
            key = (subject.library, deviation["role"], deviation["rule"], deviation["status"])
            points.setdefault(key, []).append((result["version"], deviation))
    for (library, role, rule, status), seen in points.items():
        versions = ", ".join(dict.fromkeys(version for version, _ in seen))
        first = seen[0][1]
        observed = first["observed"].splitlines()[0]
        yield f"{library} {versions}: {status} {rule}, {role}, as in {first['case']}: {observed}"


def seconds(result, stage):
    return f"{result['seconds'].get(stage, 0):.1f}"


def counts(result):
    found = dict(result["counts"])
    found["fail"] = sum(found.get(status, 0) for status in ("fail", "crash", "timeout"))
    return [f"{found.get(status, 0):,}" for status in SHOWN]


def row(subject, result, known):
    name = result["name"] or subject.library
    version = result["version"] or subject.version
    python = result["interpreter"].replace("CPython ", "")
    if "unjudged" in result:
        return f"| {name} | {version} | {python} | not judged: {cell(result['unjudged'])} |" + " |" * 8
    ids, unexplained = explained(subject.library, result, known)
    numbers = [seconds(result, stage) for stage in ("environment", "import", "judging")] + counts(result)
    found = str(len(ids)) + (f", {len(unexplained)} open" if unexplained else "")
    return f"| {name} | {version} | {python} | " + " | ".join(numbers) + f" | {found} |"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def findings_of(library, results, known, findings):
    """One line for each finding of a library: where it was seen."""
    places = {}
    for subject, result in results:
        if subject.library == library and "unjudged" not in result:
            for name in explained(library, result, known)[0]:
                places.setdefault(name, []).append(result["version"])
    by_id = {finding["id"]: finding for finding in findings}
    for name in sorted(places, key=lambda name: (by_id[name]["role"], by_id[name]["rule"], name)):
        finding = by_id[name]
        link = f"[{finding['rule']}](rules/{finding['rule']}.md)"
        seen = f"[{name}](findings.md#{name}); in {', '.join(places[name])}"
        yield f"- {finding['status']} {link}, {finding['role']}: {seen}"


def page(results, findings, machine):
    """The text of pages/fleet.md. `results`: pairs of subject and result, in the table's order."""
    known = index(findings)
    libraries = list(dict.fromkeys(subject.library for subject, _ in results))
    ordered = [pair for library in libraries for pair in results if pair[0].library == library]
    judged = [pair for pair in ordered if "unjudged" not in pair[1]]
    several = sum(1 for library in libraries if sum(1 for subject, _ in judged if subject.library == library) >= 3)
    newest = sum(1 for subject, _ in judged if subject.pinned)
    lines = [
        "# The fleet",
        "",
        "Made by `python3 conformance/evidence/fleet/fleet.py` from `subjects.json` beside it; do not edit.",
        "",
        f"{newest} libraries in the release that is pinned in the table, {several} of them in three versions or more: "
        f"{len(judged)} subjects.",
        "Seconds: until the environment stood (much is downloading, nothing where it stood already), "
        "until its workers had imported the library,",
        "and of judging. A crash and a hang count as `fail`. *Open* is what no [finding](findings.md) explains.",
        f"{machine}",
        "",
        *WORDS,
        *(row(subject, result, known) for subject, result in ordered),
        "",
        "## What is found",
    ]
    for library in libraries:
        found = list(findings_of(library, ordered, known, findings))
        name = next(
            (result["name"] for subject, result in ordered if subject.library == library and result["name"]), library
        )
        if found:
            lines += ["", f"### {name}", "", *found]
    return "\n".join(lines) + "\n"
