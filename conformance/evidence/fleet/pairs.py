"""Two libraries at a time through `dlspec matrix`: the pinned releases of the table, each with each."""

import itertools
import os
import tempfile

import programs
import subjects
from judging import read_result

FAILING = ("fail", "crash", "timeout")
ELEMENTS = "tensor.element-address"
# An exchange knows that elements came out wrong, not what of the struct was passed over.
OF_ELEMENTS = (
    ELEMENTS,
    "tensor.byte-offset-honoured",
    "tensor.strides-negative-ok",
    "tensor.strides-zero-ok",
    "tensor.strides-null-means-rowmajor",
    "tensor.shape-null-scalar",
)


def read_pairs():
    """Small ones first: they are the first in the table."""
    pinned = [subject for subject in subjects.read_subjects() if subject.pinned]
    return sorted(itertools.combinations(pinned, 2), key=lambda pair: pinned.index(pair[1]))


def judge(dlspec, pair):
    """(result document, why it could not be judged or ""). What is asked of each with itself is in it too."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        done = programs.run([dlspec, "matrix", *(subject.text for subject in pair), "--yes", "--quiet", "--json", path])
        if not os.path.exists(path):
            raise RuntimeError(
                f"dlspec matrix {pair[0].text} {pair[1].text} ended with {done.returncode}: {done.stderr}"
            )
        return read_result(path), done.stderr.strip() if done.returncode not in (0, 1) else ""


def may_explain(finding, record, libraries):
    """Whether a finding of a run is about one of the two, in the part that it plays, and about what failed."""
    package = subjects.package_of(libraries[record[finding["role"]]])
    rules = {finding["rule"], *finding.get("also", ())}
    same = record["rule"] in rules or (record["rule"] == ELEMENTS and not rules.isdisjoint(OF_ELEMENTS))
    return finding["package"] == package and finding["status"] == "fail" and same


def open_points(pair, document, findings):
    """A line for each failure that no finding explains."""
    libraries = {subject.text: subject.library for subject in pair}
    for record in document["results"]:
        if record["status"] in FAILING and not any(may_explain(finding, record, libraries) for finding in findings):
            meeting = f"{record['producer']} to {record['consumer']}"
            yield f"{meeting}: {record['status']} {record['rule']} in {record['case']}: {record['observed']}"
