#!/usr/bin/env python3
"""Writes exchanges.json: how the pinned releases exchange arrays, from documents of `dlspec matrix`.

python3 conformance/evidence/fleet/exchanges.py MATRIX.json...     of several documents about a pair the first counts
"""

import json
import pathlib
import sys
import time

import pictures
import results
from judging import read_result


def exchanges(documents):
    """What is kept of the documents."""
    names, states = [], {}
    for document in documents:
        named = {each["subject"]: f"{each['name']} {each['version']}" for each in document["subjects"]}
        names += [name for name in named.values() if name not in names]
        pairs = {}
        for record in document["results"]:
            pairs.setdefault((named[record["producer"]], named[record["consumer"]]), []).append(record)
        states = {pair: pictures.state_of(records) for pair, records in pairs.items()} | states
    return {
        "when": time.strftime("%-d %B %Y.", time.gmtime()),
        "names": names,
        "states": [[row, column, states[row, column]] for row in names for column in names if (row, column) in states],
    }


def main(paths):
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    kept = exchanges([read_result(path) for path in paths])
    lines = ",\n".join(f"  {json.dumps(state)}" for state in kept["states"])
    head = f' "when": {json.dumps(kept["when"])},\n "names": {json.dumps(kept["names"])}'
    place = pathlib.Path(results.EXCHANGES)
    place.write_text(f'{{\n{head},\n "states": [\n{lines}\n ]\n}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
