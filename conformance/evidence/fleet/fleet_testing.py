"""A fleet of two subjects whose command is a script."""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import fleet
import results
import subjects
from subjects import Subject

NEWEST = Subject("numpy", "2.0", True, True, ("other==1",), (("pass", 1),))
OLDER = Subject("numpy", "1.0", False)
FINDING = {"id": "numpy-x", "package": "numpy", "version": "2.0", "role": "producer", "rule": "a.b", "status": "fail"}

# Answers as `dlspec run SUBJECT --yes --quiet --json FILE …` does, by the files named after the subject beside it.
COMMAND = """#!/bin/sh
here=$(dirname "$0")
echo "$2 $DLSPEC_CACHE" >> "$here/log"
[ ! -f "$here/$2.said" ] || cat "$here/$2.said" >&2
[ ! -f "$here/$2.json" ] || cp "$here/$2.json" "$6"
exit $(cat "$here/$2.status" 2>/dev/null || echo 0)
"""


def record(status, observed="seen", rule="a.b", role="producer", case="producer/float32/c/x"):
    return {"role": role, "rule": rule, "case": case, "status": status, "observed": observed}


def document(subject, version, *records):
    counts = {}
    for each in records:
        counts[each["status"]] = counts.get(each["status"], 0) + 1
    known = {
        "subject": subject.text,
        "name": "NumPy",
        "version": version,
        "interpreter": "CPython 3.11.2",
        "requirement": "",
    }
    return {
        "subjects": [known],
        "results": list(records),
        "summary": counts,
        "seconds": {subject.text: {"environment": 0.5, "import": 0.25, "judging": 1.5}},
    }


class OverAScript(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bin = self.folder / "build" / "bin"
        self.bin.mkdir(parents=True)
        (self.bin / "dlspec").write_text(COMMAND)
        (self.bin / "dlspec").chmod(0o755)
        self.page = self.folder / "fleet.md"
        self.exchanges = None

    def answer(self, subject, status=0, said="", found=None):
        (self.bin / f"{subject.text}.status").write_text(str(status))
        (self.bin / f"{subject.text}.said").write_text(said)
        if found:
            (self.bin / f"{subject.text}.json").write_text(json.dumps(found))

    def calls(self):
        log = self.bin / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def fleet(self, *arguments, findings=(FINDING,)):
        printed = io.StringIO()
        with (
            mock.patch.object(subjects, "read_subjects", lambda: [NEWEST, OLDER]),
            mock.patch.object(fleet, "PAGE", self.page),
            mock.patch.object(fleet, "RESULTS", self.folder / "results.json"),
            mock.patch.object(results, "read_exchanges", lambda: self.exchanges),
            mock.patch.object(subjects, "read_findings", lambda: list(findings)),
            contextlib.redirect_stdout(printed),
        ):
            status = fleet.main(
                [*arguments, "--build", str(self.folder / "build"), "--state", str(self.folder / "state")]
            )
        return status, printed.getvalue()

    def answer_both(self):
        self.answer(NEWEST, 1, found=document(NEWEST, "2.0", record("pass"), record("fail")))
        self.answer(OLDER, found=document(OLDER, "1.0", record("pass"), record("pass")))
