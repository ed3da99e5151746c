"""Makes pages/findings.md from faults.json; with --check only says whether both are in order."""

import json
import pathlib
import sys

import mitigations
import observations
import script
import verdicts

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "selfcheck" / "zoo"))
import exhibit_rows  # noqa: E402

PAGE = HERE.parent / "pages" / "findings.md"
KEYS = ("id", "package", "version", "role", "rule", "status", "what", "why", "link")
OPTIONAL = ("case", "device", "exhibit", "also", "same", "script", "gone", "note", "mitigation")


def complaints(faults):
    """Everything that is wrong with the entries, a sentence each."""
    rules = verdicts.rules()
    seen = set()
    yield from observations.complaints(faults, observations.read())
    yield from verdicts.differing(faults)
    for fault in faults:
        name = fault.get("id", "an entry without id")
        for key in KEYS:
            if not isinstance(fault.get(key), str) or (not fault[key] and key != "link"):
                yield f"{name}: `{key}` is missing or empty"
        for key in set(fault) - set(KEYS) - set(OPTIONAL):
            yield f"{name}: unknown key `{key}`"
        if name in seen:
            yield f"{name}: the id is used twice"
        seen.add(name)
        if fault.get("role") not in ("producer", "consumer"):
            yield f"{name}: role must be producer or consumer"
        if fault.get("status") not in ("fail", "warn", "info"):
            yield f"{name}: status must be fail, warn or info"
        yield from verdicts.complaints(fault, rules)
        if fault.get("rule") in rules and fault.get("status") in ("fail", "warn", "info"):
            yield from mitigations.complaints(fault)
        if "same" in fault:
            first = next((other for other in faults if other.get("id") == fault["same"]), {})
            if "same" in first or any(first.get(key) != fault.get(key) for key in ("package", "role", "rule")):
                yield f"{name}: `same` must name a first entry of the package, the role and the rule"
        if "exhibit" in fault:
            if f'"{fault["exhibit"]}"' not in exhibit_rows.whole_table():
                yield f"{name}: the zoo has no exhibit {fault['exhibit']}"
            if not fault["link"]:
                yield f"{name}: what is only re-created needs a link to the fault"
        elif "script" not in fault:
            yield f"{name}: has neither a script nor an exhibit"
        else:
            yield from script.complaints(fault)


def is_note(fault):
    """What dlspec reports and does not call a fault."""
    return "note" in fault or fault["status"] == "info"


def releases(versions):
    """ "1.2", "1.2 and 1.3", "1.2, 1.3 and 1.4"."""
    return " and ".join([", ".join(versions[:-1]), versions[-1]] if len(versions) > 1 else versions)


def where_seen(seen):
    """On which releases the script showed the fault, and on which it did not."""
    there = [version for version, observed in seen.items() if observed["fault"]]
    gone = [version for version, observed in seen.items() if observed["fault"] is False]
    return f"Seen on {releases(there)}" + (f"; not on {releases(gone)}." if gone else ".")


def entry(fault, seen):
    """The lines of one fault."""
    if "exhibit" in fault:
        proof = f"Re-created in the zoo: `{fault['exhibit']}`."
    else:
        template = fault["script"]["template"]
        command = f"python3 conformance/evidence/history/script.py {fault['id']} > reproducer.py"
        proof = f"Reproducer: `{command}` (template [{template}](../history/templates/{template}.py))."
        proof += f" {where_seen(seen)}" + (" It needs a GPU." if "device" in fault else "")
    return [
        "",
        f"## {fault['id']}",
        "",
        f"{fault['package']} {fault['version']}, {fault['role']}, {fault['rule']}: {fault['status']}"
        + (f"; seen under {', '.join(fault['also'])} as well" if fault.get("also") else ""),
        "",
        f"{fault['what']}",
        "",
        " ".join(filter(None, [fault["why"], fault.get("note")]))
        + (f" The same fault as `{fault['same']}`, counted once." if "same" in fault else ""),
        "",
        *([mitigations.reason(fault), ""] if mitigations.reason(fault) else []),
        proof + (f" Tracker: <{fault['link']}>." if fault["link"] else ""),
    ]


def page(faults):
    """The text of pages/findings.md."""
    observed = observations.read()["observed"]
    lines = [
        "# Findings",
        "",
        "Made from `conformance/evidence/history/faults.json` by the make_findings.py beside it; do not edit.",
        "",
        "What dlspec found in other libraries. Each entry was checked by hand against the library's behaviour, and the",
        "command that it shows writes a reproducer that needs only the library. The releases on which it was run are",
        "named; what it printed there stands in `observations.json`. Faults whose releases need a GPU, or are no",
        "longer published for the interpreters of today, are re-created as subjects of the zoo, from what the tracker",
        "says.",
        "",
        "[Notes](#notes) are at the end: what dlspec reports although it is no fault.",
    ]
    inorder = sorted(faults, key=lambda fault: (fault["package"], fault["rule"], fault["version"]))
    for fault in inorder:
        lines += [] if is_note(fault) else entry(fault, observed.get(fault["id"], {}))
    lines += ["", "# Notes"]
    for fault in inorder:
        lines += entry(fault, observed.get(fault["id"], {})) if is_note(fault) else []
    return "\n".join(lines) + "\n"


def main():
    faults = json.loads((HERE / "faults.json").read_text(encoding="utf-8"))
    problems = list(complaints(faults))
    if (
        "--check" in sys.argv[1:]
        and not problems
        and (not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(faults))
    ):
        problems.append("pages/findings.md is not what faults.json makes; run make_findings.py")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(faults), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
