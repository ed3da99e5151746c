"""Whether the rows of faults.json fit the rules that they name: whom a rule binds, and what a violation is worth.

One behaviour has one verdict. A row that is milder than its rule says why with the words of REASONS, and so does one
that is harsher.
"""

import pathlib
import re

RULES = pathlib.Path(__file__).resolve().parents[3] / "reference" / "vocabulary" / "rules.def"
RULE = re.compile(
    r'DLSPEC_RULE\(\w+, "(?P<id>[^"]+)",\s*"(?:[^"\\]|\\.)*",\s*(?P<level>\w+),\s*"[^"]*",\s*(?P<side>\w+),\s*'
    r"interval::(?P<interval>\w+)[^\"]*\"[^\"]*\",\s*(?:\"[^\"]*\"\s*)+,\s*\w+,\s*\w+,\s*(?P<violated>\w+),"
)
SEVERITY = {"info": 0, "warn": 1, "fail": 2}
# How `why` gives the reason of a verdict that is not the rule's own.
REASONS = {
    "info": (": a note.", ": an info."),
    "warn": (": a warning.", ": a warning, and a common one."),
    "fail": ("is a failure.", "are a failure."),
}
# Rules that dlspec asks of the other side as well: a layout's rule is reported where its import ends the process, or
# shows nothing.
ALSO_BIND = {"tensor.strides-negative-ok": "consumer", "tensor.strides-zero-ok": "consumer"}
UNCLAIMED = "does not claim that standard: a warning."


def rules(text=None):
    """id -> level, side, interval and violated of every rule."""
    text = RULES.read_text(encoding="utf-8") if text is None else text
    return {found["id"]: found.groupdict() for found in RULE.finditer(text)}


def complaints(row, known):
    """What is wrong with the rule and the verdict of a row, a sentence each."""
    name, rule = row["id"], known.get(row["rule"])
    for each in (row["rule"], *row.get("also", ())):
        if each not in known:
            yield f"{name}: there is no rule {each}"
        elif row["role"] not in (known[each]["side"], ALSO_BIND.get(each)) and known[each]["side"] != "both":
            yield f"{name}: {each} binds the {known[each]['side']}, not the {row['role']}"
    if rule is None or row["status"] not in SEVERITY:
        return
    own, told = SEVERITY[rule["violated"]], SEVERITY[row["status"]]
    if own != told and not row["why"].endswith(REASONS[row["status"]]) and "note" not in row:
        yield f"{name}: {row['rule']} is {rule['violated']}, the row {row['status']}; `why` ends without the reason"
    if UNCLAIMED in row["why"] and rule["interval"] != "array_api":
        yield f"{name}: {row['rule']} is no rule of the array API, so that nobody has to claim it"


def differing(rows):
    """(rule, role, template) that rows judge differently, each with the rows that give no reason for it."""
    groups = {}
    for row in rows:
        if "script" in row:
            groups.setdefault((row["rule"], row["role"], row["script"]["template"]), []).append(row)
    for (rule, role, template), group in groups.items():
        worst = max(SEVERITY[row["status"]] for row in group)
        for row in group:
            if SEVERITY[row["status"]] < worst and not row["why"].endswith(REASONS[row["status"]]):
                yield f"{row['id']}: milder than others of {rule}, {role}, {template}; `why` does not say why"
