"""What the results say: which deviations have an entry among the findings, and the page pages/fleet.md."""

import re
import sys

import pictures
import results
import subjects

sys.path.append(str(subjects.EVIDENCE / "history"))
import make_upstream as upstream  # noqa: E402 -- found by the line above

MOST_TOLD = 12

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


def seconds(row, stage):
    return f"{row['seconds'].get(stage, 0):.1f}"


def counts(row):
    found = dict(row["counts"])
    found["fail"] = sum(found.get(status, 0) for status in ("fail", "crash", "timeout"))
    return [f"{found.get(status, 0):,}" for status in SHOWN]


def has_older(kept):
    """Is a row left from an earlier run?"""
    return any("before" in row for row in kept["rows"])


def line_of(row):
    python = row["interpreter"].replace("CPython ", "")
    version = row["version"] + (f" ({row['before']})" if "before" in row else "")
    if "unjudged" in row:
        return f"| {row['name']} | {version} | {python} | not judged: {cell(row['unjudged'])} |" + " |" * 8
    numbers = [seconds(row, stage) for stage in ("environment", "import", "judging")] + counts(row)
    found = str(len(row["findings"])) + (f", {row['open']} open" if row["open"] else "")
    return f"| {row['name']} | {version} | {python} | " + " | ".join(numbers) + f" | {found} |"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def findings_of(rows, by_id):
    """One line for each finding of a library: where it was seen."""
    places = {}
    for row in rows:
        for name in row.get("findings", ()):
            places.setdefault(name, []).append(row["version"])
    for name in sorted(places, key=lambda name: (by_id[name]["role"], by_id[name]["rule"], name)):
        finding = by_id[name]
        link = f"[{finding['rule']}](rules/{finding['rule']}.md)"
        seen = f"[{name}](findings.md#{name}); in {', '.join(places[name])}"
        yield f"- {finding['status']} {link}, {finding['role']}: {seen}"


def weight(row, by_id):
    """How many findings of a release are failures, and how many are warnings."""
    found = [by_id[name]["status"] for name in row["findings"]]
    return found.count("fail"), found.count("warn")


def overview(rows, by_id, drawn):
    """The line of a library: its badge over its findings by release, so that both are seen in full on a phone."""
    newest, name = rows[0], rows[0]["name"]
    judged = [row for row in reversed(rows) if "unjudged" not in row]
    found = [(row["version"], *weight(row, by_id)) for row in judged]
    over_time = ""
    if len(found) > 1:
        drawn[f"{newest['library']}-releases.svg"] = pictures.releases(found)
        over_time = f"<br>![{pictures.releases_text(found)}](fleet/{newest['library']}-releases.svg)"
    if "unjudged" in newest:
        return f"| {name} {newest['version']} | not judged{over_time} |"
    drawn[f"{newest['library']}-badge.svg"] = pictures.badge(*found[-1][1:])
    badge = f"![{pictures.verdict(*found[-1][1:])[0]}](fleet/{newest['library']}-badge.svg)"
    number = len(newest["findings"])
    many = f"{number} finding{'' if number == 1 else 's'}"
    link = f"[{many}](#{re.sub(r'[^a-z0-9 -]', '', name.lower()).replace(' ', '-')})" if number else many
    return f"| {name} {newest['version']}<br>{link} | {badge}{over_time} |"


def dozen(names):
    """The worst that the newest releases do, a sentence each, as pages/upstream orders them."""
    lines = []
    for _, fault, release, _ in upstream.on_newest():
        if fault["status"] == "fail" and len(lines) < MOST_TOLD:
            what = upstream.first_clause(fault["what"], 240)
            name = names.get(fault["package"], fault["package"])
            lines.append(f"{len(lines) + 1}. **{name} {release}.** {what}. [Report](upstream/{fault['id']}.md)")
    return lines


def exchanges_of(exchanges, drawn):
    if exchanges is None:
        return []
    states = {(row, column): state for row, column, state in exchanges["states"]}
    drawn["exchanges.svg"] = pictures.matrix(exchanges["names"], states)
    counts = {state: list(states.values()).count(state) for state in pictures.STATES}
    told = ", ".join(
        f"{count} {state[:-1] if state in ('fails', 'warns') and count > 1 else state}"
        for state, count in counts.items()
        if count
    )
    alt = f"Of {len(states)} pairs {told}."
    return ["", "## Who exchanges with whom", "", f"{alt} {exchanges['when']}", "", f"![{alt}](fleet/exchanges.svg)"]


def page(kept, findings, exchanges=None):
    """The text of pages/fleet.md, and its pictures by name. `kept`: as results.json has it."""
    by_id, drawn = {finding["id"]: finding for finding in findings}, {}
    libraries = results.by_library(kept["rows"])
    judged = [row for row in kept["rows"] if "unjudged" not in row]
    several = sum(1 for rows in libraries.values() if sum("unjudged" not in row for row in rows) >= 3)
    newest = sum(1 for row in judged if row["pinned"])
    lines = [
        "# The fleet",
        "",
        "Made by `python3 conformance/evidence/fleet/fleet.py` from `subjects.json` beside it; do not edit.",
        "",
        f"{newest} libraries in the release that is pinned in the table, {several} of them in three versions or more: "
        f"{len(judged)} subjects.",
        "The badge counts the rules that the pinned release violates; the bars, of each release that was judged, the "
        "oldest first.",
        "",
        "| library | verdict, findings by release |",
        "|---|---|",
        *(overview(rows, by_id, drawn) for rows in libraries.values()),
        "",
        "## The worst on newest releases",
        "",
        "Silent wrong data first, then memory faults; [all of them](upstream/README.md), each with a text for the "
        "library's tracker.",
        "",
        *dozen({subjects.package_of(library): rows[0]["name"] for library, rows in libraries.items()}),
        *exchanges_of(exchanges, drawn),
        "",
        "## Every release",
        "",
        "Seconds: until the environment stood (much is downloading, nothing where it stood already), "
        "until its workers had imported the library,",
        "and of judging. A crash and a hang count as `fail`. *Open* is what no [finding](findings.md) explains.",
        kept["when"],
        *(["Versions with a day in brackets were judged on that day, by its plan."] if has_older(kept) else []),
        "",
        *WORDS,
        *(line_of(row) for row in kept["rows"]),
        "",
        "## What is found",
    ]
    for rows in libraries.values():
        found = list(findings_of(rows, by_id))
        if found:
            lines += ["", f"### {rows[0]['name']}", "", *found]
    return "\n".join(lines) + "\n", drawn
