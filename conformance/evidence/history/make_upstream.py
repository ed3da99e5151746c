"""Makes pages/upstream: for each finding on a newest release a report for its tracker, in the order of value.

The form of a report, the trackers' headings and what users suffer
stand in conformance/reproducers (issue.txt, trackers.def, harms.def), from which `dlspec run --emit-reproducer` writes
the same.
"""

import ast
import fnmatch
import functools
import pathlib
import re

import make_findings
import observations
import script
import verdicts

HERE = pathlib.Path(__file__).resolve().parent
FORMS = HERE.parents[1] / "reproducers"
PAGES = HERE.parent / "pages" / "upstream"
DIED = re.compile(r"the process (ended with status|did not end)|leaving the process (ended|did not end)")
# Templates of what is only answered with another exception, or refused: no data is wrong.
REFUSALS = ("export-wrong-error", "import-wrong-error", "export-refused", "import-refused", "exception-lost")
STRINGS = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
INTRODUCTION = """# Reports for upstream

Made from `conformance/evidence/history/faults.json` by the make_upstream.py beside it; do not edit.

A text for each finding that the newest release has, {releases} releases of {when}, with the script that shows it, in
the form of the library's tracker. What hurts users most stands first: wrong data without an error, then memory faults
and processes that die or hang, then what fails or is let through, then the rest; failures before warnings. What a
tracker asks of its reporters stands at the top of each text, as a comment. Look for the finding in the tracker, run the
script on your machine, and put it into your own words before you send it.
"""


def rows_of(name, macro):
    """The arguments of each row of a table, as texts."""
    text = (FORMS / name).read_text(encoding="utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith(("//", "#")))
    for found in re.finditer(rf"{macro}\((?P<row>(?:{STRINGS}|[^()\"])*)\)", text):
        arguments = re.findall(rf"{STRINGS}|[\w.]+", found["row"])
        yield ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', each)) if '"' in each else each for each in arguments]


@functools.cache
def harms():
    """[(harm, words)], the worst first; [(pattern, harm)]."""
    return list(rows_of("harms.def", "DLSPEC_HARM")), list(rows_of("harms.def", "DLSPEC_HARM_OF"))


@functools.cache
def trackers():
    names = ("package", "repository", "title", "describe", "reproduce", "expected", "versions", "remark")
    return {row[0]: dict(zip(names, row)) for row in rows_of("trackers.def", "DLSPEC_TRACKER")}


@functools.cache
def rule_texts():
    """id -> source and requirement."""
    found = re.findall(
        rf'DLSPEC_RULE\(\w+, "([^"]+)",.*?(?:checked|unchecked|\w+), \w+,\s*({STRINGS}),\s*({STRINGS}),\s*{STRINGS}\)',
        verdicts.RULES.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    return {name: [ast.literal_eval(f"({text})") for text in texts] for name, *texts in found}


@functools.cache
def rule_pages():
    """The address in front of ID.md."""
    return re.search(r'rule_pages =\s*"([^"]+)"', (FORMS.parent / "report" / "links.h").read_text(encoding="utf-8"))[1]


def harm(fault, printed):
    """The rank of what users suffer; 0 is the worst."""
    words, patterns = harms()
    names = [name for name, _ in words]
    rank = names.index(next(name for pattern, name in patterns if fnmatch.fnmatchcase(fault["rule"], pattern)))
    if DIED.search(printed):
        return min(rank, names.index("memory"))
    if fault["script"]["template"] in REFUSALS:
        return max(rank, names.index("exchange"))
    return rank


def on_newest():
    """(rank, fault, release, what the script printed there), in the order of value."""
    store = observations.read()
    chosen = []
    for fault in script.faults():
        release = store["newest"].get(fault["package"])
        seen = store["observed"].get(fault["id"], {}).get(release, {})
        if seen.get("fault") and not make_findings.is_note(fault) and "same" not in fault:
            chosen.append((harm(fault, seen["printed"]), fault, release, seen["printed"]))
    weight = {"fail": 0, "warn": 1}
    return sorted(chosen, key=lambda row: (row[0], weight[row[1]["status"]], row[1]["rule"], row[1]["id"]))


def plain(text):
    """Asterisks outside of code are no emphasis."""
    return "`".join(part if number % 2 else part.replace("*", r"\*") for number, part in enumerate(text.split("`")))


def first_clause(text, most):
    """The beginning of what is told, as far as it says something by itself."""
    text = plain(text)
    for ends in (r"\.", r"[.;:]"):
        clause = re.split(rf"(?<=[\w`)]){ends}(?= |$)", text)[0]
        if len(clause) <= most:
            return clause
    return clause[: most - 1].rsplit(" ", 1)[0] + " …"


def report(rank, fault, release, printed):
    """The text for one finding."""
    tracker = trackers().get(fault["package"], trackers()[""])
    source, requirement = rule_texts()[fault["rule"]]
    remark = f"<!-- For https://github.com/{tracker['repository']}/issues. -->\n" if tracker["repository"] else ""
    remark += f"<!-- {tracker['remark']} -->\n" if tracker["remark"] else ""
    remark += f"<!-- Known there: {fault['link']} -->\n" if fault["link"] else ""
    known = observations.read()["observed"][fault["id"]]
    others = [version for version, seen in known.items() if seen["fault"] and version != release]
    values = {
        "remark": remark,
        "title": f"{tracker['title']}DLPack: {first_clause(fault['what'], 100)}",
        "describe": tracker["describe"],
        "happens": f"{fault['what']}\n\nThe script below prints:\n\n```\n{printed.strip()}\n```",
        "severity": harms()[0][rank][1],
        "expected": f"### {tracker['expected']}\n" if tracker["expected"] else "**Expected:**",
        "allowed": fault["why"],
        "requirement": requirement,
        "source": source,
        "reproduce": tracker["reproduce"],
        "language": "python",
        "script": script.make(fault),
        "run": "It needs nothing of dlspec.",
        "versions": tracker["versions"],
        "releases": f"{fault['package']} {release}" + (f"; also seen on {', '.join(others)}" if others else ""),
        "rule": fault["rule"],
        "page": f"{rule_pages()}{fault['rule']}.md",
    }
    form = (FORMS / "issue.txt").read_text(encoding="utf-8")
    return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], form)


def index(rows):
    lines = [INTRODUCTION.format(releases=len({(row[1]["package"], row[2]) for row in rows}), when="November 2026")]
    for rank, (_, words) in enumerate(harms()[0]):
        chosen = [row for row in rows if row[0] == rank]
        if not chosen:
            continue
        lines += [f"## {words[0].upper()}{words[1:]}", "", "| library | | what |", "|---|---|---|"]
        for _, fault, release, _ in chosen:
            what = first_clause(fault["what"], 140).replace("|", "\\|")
            lines.append(f"| {fault['package']} {release} | {fault['status']} | [{what}]({fault['id']}.md) |")
        lines.append("")
    return "\n".join(lines)


def pages():
    """Name and text of each page."""
    rows = on_newest()
    return {"README.md": index(rows), **{f"{fault['id']}.md": report(*row) for row in rows for fault in [row[1]]}}


def main():
    wanted = pages()
    PAGES.mkdir(exist_ok=True)
    for old in PAGES.glob("*.md"):
        old.unlink()
    for name, text in wanted.items():
        (PAGES / name).write_text(text, encoding="utf-8")
    print(f"{len(wanted) - 1} reports")


if __name__ == "__main__":
    main()
