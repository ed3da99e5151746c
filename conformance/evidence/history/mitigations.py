"""The table of mitigations, and which of its rows a finding is judged by."""

import functools
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
VOCABULARY = HERE.parents[2] / "reference" / "vocabulary"
ADAPTERS = HERE.parent / "adapters"
USUAL = {"must": "fail", "implied": "fail", "should": "warn", "may": "info", "convention": "info"}
UNCLAIMED = "array-api-not-claimed"
_STRING = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'


def _text(literal):
    """The value of adjacent C string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)).replace('\\"', '"')


@functools.cache
def rows():
    """id -> (scope, ids of rules, verdict, condition, question, reason)."""
    text = (VOCABULARY / "mitigations.def").read_text(encoding="utf-8")
    row = re.compile(
        rf"^DLSPEC_MITIGATION\({_STRING}, (\w+),\s*{_STRING},\s*(\w+),\s*{_STRING},\s*{_STRING},\s*{_STRING}\)",
        re.MULTILINE,
    )
    return {
        _text(identity): (
            scope,
            [name.split(":")[0] for name in _text(rules).split()],
            verdict,
            *map(_text, (condition, question, reason)),
        )
        for identity, scope, rules, verdict, condition, question, reason in row.findall(text)
    }


@functools.cache
def rules():
    """id -> (level, status of a violation, whether its only source is the array API)."""
    text = (VOCABULARY / "rules.def").read_text(encoding="utf-8")
    found = {}
    for row in re.split(r"^DLSPEC_RULE\(", text, flags=re.MULTILINE)[1:]:
        identity = re.match(r'\w+,\s*"([^"]+)"', row).group(1)
        level = re.search(r'", (must|implied|should|may|convention), ', row).group(1)
        violated = re.search(r"\w+, (?:checked|not_yet|never), (\w+),", row).group(1)
        found[identity] = (level, violated, "interval::array_api" in row)
    return found


@functools.cache
def claims_nothing(key, value):
    """Whether the adapter whose description has this line says standard = "dlpack"."""
    for facts in ADAPTERS.glob("*.toml"):
        if re.search(rf'^{key} = "{re.escape(value)}["\[]', facts.read_text(encoding="utf-8"), re.MULTILINE):
            adapter = facts.with_suffix(".py").read_text(encoding="utf-8")
            return re.search(r'^standard = "dlpack"', adapter, re.MULTILINE) is not None
    raise KeyError(f"no adapter has {key} = {value}")


def is_milder(fault):
    """Whether a finding has a status below that of the level of its rule."""
    order = ("info", "warn", "fail")
    return order.index(fault["status"]) < order.index(USUAL[rules()[fault["rule"]][0]])


def candidates(fault):
    """Ids of the rows that the status of a finding can come from; none where it is that of the level, or harsher."""
    if not is_milder(fault):
        return []
    _, violated, of_array_api = rules()[fault["rule"]]
    found = [name for name, row in rows().items() if fault["rule"] in row[1] and row[2] == fault["status"]]
    could_fail = of_array_api and violated == "fail" and fault["status"] == "warn"
    if could_fail and claims_nothing("distribution", fault["package"]):
        found.append(UNCLAIMED)
    return found


def complaints(fault):
    """What is wrong with a finding that is judged more mildly than the level of its rule."""
    found, said = candidates(fault), fault.get("mitigation")
    if is_milder(fault) and not found:
        yield f"{fault['id']}: {fault['status']} is milder than its level, and no mitigation gives it"
    elif len(found) > 1 and said not in found:
        yield f"{fault['id']}: `mitigation` must say which of {', '.join(found)} it is"
    elif len(found) < 2 and said is not None:
        yield f"{fault['id']}: `mitigation` has nothing to tell apart"


def reason(fault):
    """Why a finding is judged more mildly than the level of its rule; "" where it is not."""
    found = candidates(fault)
    if not found:
        return ""
    _, _, verdict, _, question, why = rows()[fault.get("mitigation", found[0])]
    about = f" (open question [{question}](questions.md#{question}))" if question else ""
    return f"Judged {verdict} instead of {USUAL[rules()[fault['rule']][0]]}: {why.rstrip('.')}{about}."
