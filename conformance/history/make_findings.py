"""Makes docs/findings.md from faults.json; with --check only says whether both are in order."""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "findings.md"
RULES = HERE.parent.parent / "reference" / "vocabulary" / "rules.def"
KEYS = ("id", "package", "version", "role", "rule", "status", "what", "why", "link")


def complaints(faults):
    """Everything that is wrong with the entries, a sentence each."""
    rules = RULES.read_text(encoding="utf-8")
    seen = set()
    for fault in faults:
        name = fault.get("id", "an entry without id")
        for key in KEYS:
            if not isinstance(fault.get(key), str) or (not fault[key] and key != "link"):
                yield f"{name}: `{key}` is missing or empty"
        for key in set(fault) - set(KEYS):
            yield f"{name}: unknown key `{key}`"
        if name in seen:
            yield f"{name}: the id is used twice"
        seen.add(name)
        if fault.get("role") not in ("producer", "consumer"):
            yield f"{name}: role must be producer or consumer"
        if fault.get("status") not in ("fail", "warn", "info"):
            yield f"{name}: status must be fail, warn or info"
        if f'"{fault.get("rule")}"' not in rules:
            yield f"{name}: there is no rule {fault.get('rule')}"
        if not (HERE / f"{name}.py").is_file():
            yield f"{name}: the reproducer {name}.py is missing"
    for script in HERE.glob("*.py"):
        if script.name != "make_findings.py" and script.stem not in seen:
            yield f"{script.name}: no entry of faults.json has this id"


def page(faults):
    """The text of docs/findings.md."""
    lines = [
        "# Findings",
        "",
        "Made by `python3 conformance/history/make_findings.py` from `conformance/history/faults.json`; do not edit.",
        "",
        "What dlspec found in other libraries. Each entry was checked by hand against the library's behaviour, and has a",
        "reproducer that needs only the library.",
    ]
    for fault in sorted(faults, key=lambda fault: (fault["package"], fault["rule"], fault["version"])):
        lines += [
            "",
            f"## {fault['package']} {fault['version']}: {fault['rule']}",
            "",
            f"{fault['role']}, {fault['status']}",
            "",
            f"{fault['what']}",
            "",
            f"{fault['why']}",
            "",
            f"Reproducer: [{fault['id']}.py](../history/{fault['id']}.py)."
            + (f" Tracker: <{fault['link']}>." if fault["link"] else ""),
        ]
    return "\n".join(lines) + "\n"


def main():
    faults = json.loads((HERE / "faults.json").read_text(encoding="utf-8"))
    problems = list(complaints(faults))
    if "--check" in sys.argv[1:] and not problems and (not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(faults)):
        problems.append("docs/findings.md is not what faults.json makes; run make_findings.py")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(faults), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
