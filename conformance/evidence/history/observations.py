"""What the scripts of faults.json printed on which release (observations.json), and whether the rows agree with it.

A row must be seen on its own release, and on the newest one of its package unless it says in which release the fault is
gone, or that it needs a device. Each release that its text names was tried by the script of today, and each exception
that a sentence names was printed there.
"""

import hashlib
import json
import pathlib
import re

import script

HERE = pathlib.Path(__file__).resolve().parent
STORE = HERE / "observations.json"
EDITION = re.compile(r"20\d\d\.\d\d")
VERSION = re.compile(r"(?<![\w.(])\d+(?:\.\d+)+(?:\.?(?:post|rc|b)\d+)?(?![\w)])")
ERROR = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\b")


def read():
    return json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else {"newest": {}, "observed": {}}


def mark(text):
    """Changes with what a script does, and not with its docstring, which has the row's own text."""
    return hashlib.sha256(text.split('"""', 2)[2].encode()).hexdigest()[:12]


def is_fresh(row, version, store):
    """True when the script of today was run on the release."""
    seen = store["observed"].get(row["id"], {}).get(version)
    return seen is not None and seen["script"] == mark(script.make(row))


def number(version):
    """Orders releases as their index does, for those that occur here."""
    return [int(part) for part in re.findall(r"\d+", version)]


def sentences(text):
    """The sentences of a row; code between backticks ends none."""
    return re.split(r"(?<=[.;:]) +(?=[A-Z0-9`])", text)


def without_code(text):
    return re.sub(r"`[^`]*`", "``", text)


def versions_in(text):
    return [each for each in VERSION.findall(without_code(text)) if not EDITION.fullmatch(each)]


def versions_told(row):
    """The releases of the package that the row's text and its `gone` name."""
    return {*versions_in(row["what"]), *([row["gone"]] if "gone" in row else [])}


def complaints(rows, store):
    """Everything in which the rows and the observations differ, a sentence each."""
    for row in rows:
        if "script" in row:
            newest = row["version"] if "device" in row else store["newest"].get(row["package"])
            yield from complaints_about(row, store["observed"].get(row["id"], {}), newest)
            for version in store["observed"].get(row["id"], {}):
                if not is_fresh(row, version, store):
                    yield f"{row['id']}: its script was changed after it was run on {version}; run observe.py"
    known = {row["id"] for row in rows if "script" in row}
    for name in sorted(store["observed"].keys() - known):
        yield f"{name}: observed, and no row of faults.json with a script"


def complaints_about(row, seen, newest):
    name, own = row["id"], row["version"]
    for version in sorted({own, *versions_told(row), *filter(None, [newest])} - seen.keys(), key=number):
        yield f"{name}: never tried on {version}; run observe.py"
    if newest is None:
        yield f"{name}: nobody said which release of {row['package']} is the newest; run observe.py --newest"
    yield from wrong_span(row, seen, newest)
    for sentence in sentences(row["what"]):
        yield from wrong_errors(row, sentence, seen)


def wrong_span(row, seen, newest):
    """The fault is on its own release and up to the newest, or until the release that `gone` names."""
    name, gone = row["id"], row.get("gone")
    if seen.get(row["version"], {}).get("fault") is False or seen.get(row["version"], {}).get("fault", 0) is None:
        yield f"{name}: the script does not show it on {row['version']}: {seen[row['version']]['printed']}"
    at_newest = seen.get(newest, {}).get("fault", True)
    if gone is None and at_newest is False:
        yield f"{name}: {newest} has it no more; say so in `what` and `gone`"
    if gone is not None and gone not in versions_in(row["what"]):
        yield f"{name}: `what` does not name {gone}, from which on it is gone"
    if gone is not None and (at_newest or seen.get(gone, {}).get("fault", False)):
        yield f"{name}: `gone` says {gone}, and the script shows it there or on {newest}"
    if gone is None and at_newest is None and newest in seen:
        yield f"{name}: the script cannot be tried on {newest}: {seen[newest]['printed']}"


def wrong_errors(row, sentence, seen):
    """Exceptions that the sentence names and that nothing printed on the releases that it is about."""
    versions = versions_in(sentence) or [row["version"]]
    printed = " ".join(seen[version]["printed"] for version in versions if version in seen)
    for error in ERROR.findall(without_code(sentence)):
        if error not in printed:
            yield f"{row['id']}: {error} was not seen on {' or '.join(versions)}: {printed}"
