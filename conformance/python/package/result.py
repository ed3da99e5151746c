"""Result documents. Needs nothing else of dlspec, so that a script may import it alone."""

import json


def read_result(path):
    """The document that `dlspec run --json PATH` wrote, with every record in document["results"]."""
    with open(path, encoding="utf-8") as file:
        return unfold(json.load(file))


def unfold(document):
    """A folded document (dlspec-result/2) with every record whole (dlspec-result/1); others as they are."""
    if "folded" not in document:
        return document
    whole, folded = iter(document["results"]), document["folded"]
    records = [
        next(whole) if outcome == "result" else _record(folded, part, case, rule, folded["outcomes"][outcome])
        for part in folded["cases"]
        for pattern, *cases in part["cases"]
        for case in cases
        for rule, outcome in _outcomes(folded, pattern)
    ]
    unfolded = {name: value for name, value in document.items() if name != "folded"}
    return unfolded | {"schema": "dlspec-result/1", "results": records}


def _outcomes(folded, pattern):
    """(rule, index of its outcome or "result"), for each rule of a case with this pattern."""
    rules, runs = folded["rules"][folded["patterns"][pattern]["rules"]], folded["patterns"][pattern]["runs"]
    return zip(rules, (outcome for count, outcome in runs for _ in range(count)))


def _record(folded, part, case, rule, outcome):
    parties = {name: part[name] for name in ("subject", "producer", "consumer", "role") if name in part}
    record = parties | {"rule": rule, "case": case, "level": folded["levels"][rule]} | outcome
    if "reproduce" in record:
        pieces = record["reproduce"].split("{rule}")
        record["reproduce"] = rule.join(piece.replace("{case}", case) for piece in pieces)
    return record
