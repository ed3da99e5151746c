"""results.json: what the last run of the whole fleet found, from which its page is made."""

import json
import pathlib

import page
import subjects

PATH = pathlib.Path(__file__).resolve().parent / "results.json"
EXCHANGES = PATH.with_name("exchanges.json")


def summary(subject, result, known):
    """The row of a subject: what the page says of it."""
    row = {
        "library": subject.library,
        "release": subject.version,
        "pinned": subject.pinned,
        "name": result["name"] or subject.library,
        "version": result["version"] or subject.version,
        "interpreter": result["interpreter"],
    }
    if "unjudged" in result:
        return row | {"unjudged": result["unjudged"]}
    ids, unexplained = page.explained(subject.library, result, known)
    return row | {"seconds": result["seconds"], "counts": result["counts"], "findings": ids, "open": len(unexplained)}


def of(results, findings, machine):
    """What is kept. `results`: pairs of subject and result, in the table's order."""
    known = page.index(findings)
    libraries = dict.fromkeys(subject.library for subject, _ in results)
    rows = [summary(*pair, known) for library in libraries for pair in results if pair[0].library == library]
    return {"when": machine, "rows": rows}


def completed(kept, earlier):
    """The rows of a run that did not judge every subject, with those of an earlier one in their places.

    `kept`: as of() makes it of what was judged. An earlier row says on which day it was judged.
    """
    known = {(row["library"], row["release"]): row for row in kept["rows"]}
    day = earlier["when"].partition(",")[0]
    rows = [known.pop((row["library"], row["release"]), {"before": day} | row) for row in earlier["rows"]]
    return {"when": kept["when"], "rows": rows + list(known.values())}


def write(kept, path):
    lines = ",\n".join(f"  {json.dumps(row)}" for row in kept["rows"])
    path.write_text(f'{{\n "when": {json.dumps(kept["when"])},\n "rows": [\n{lines}\n ]\n}}\n', encoding="utf-8")


def read(path=PATH):
    return json.loads(path.read_text(encoding="utf-8"))


def read_exchanges(path=EXCHANGES):
    """{"when": ..., "names": [...], "states": [[row, column, state], ...]}; None where exchanges.py wrote none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def by_library(rows):
    """library -> its rows, the newest release first."""
    found = {}
    for row in rows:
        found.setdefault(row["library"], []).append(row)
    assert set(found) <= {subject.library for subject in subjects.read_subjects()}, "a library that the table lacks"
    return found
