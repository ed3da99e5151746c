"""The plugin of pytest: `pytest --dlspec=SUBJECT` gives a test for each rule, and two fixtures judge arrays.

dlspec_inspect(x)    what x exports, judged rule by rule (dlspec.inspect)
assert_conforms(x)   fails unless x exports as the standard asks: device, copies, elements, lifetime, keywords

The subject is judged once, when its first test runs; under pytest-xdist by one worker, for all of them.
"""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import tempfile

import pytest
from dlspec import _files, read_result

VIOLATED = ("fail", "crash", "timeout")
SILENT = ("not-applicable", "unsupported", "blocked", "skipped")
SHOWN = 5  # findings of a rule that are printed


def pytest_addoption(parser):
    group = parser.getgroup("dlspec", "conformance to DLPack")
    group.addoption("--dlspec", action="append", default=[], metavar="SUBJECT", help="judge it: a test for each rule")
    group.addoption("--dlspec-baseline", metavar="FILE|shipped", help="deviations that are expected: xfail")
    group.addoption("--dlspec-rules", metavar="GLOB", default="*", help="only rules that match")
    group.addoption("--dlspec-strict", action="store_true", help="warnings count as failures")


def pytest_configure(config):
    config.addinivalue_line("markers", "dlspec: a rule of DLPack, judged by dlspec")
    # Known to the controller and all workers of pytest-xdist; a run without it has a folder of its own.
    run = getattr(config, "workerinput", {}).get("testrunuid")
    config.stash[_FOLDER] = os.path.join(tempfile.gettempdir(), f"dlspec-{os.getuid()}-{run}") if run else None


_FOLDER = pytest.StashKey()


@pytest.fixture
def dlspec_inspect():
    import dlspec

    return dlspec.inspect


@pytest.fixture
def assert_conforms():
    from dlspec import _conforming

    return _conforming.assert_conforms


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    for subject in config.getoption("--dlspec"):
        judged = Judged(config, subject)
        parent = Subject.from_parent(session, name=f"dlspec[{subject}]", nodeid=f"dlspec[{subject}]")
        for rule in rule_ids(config.getoption("--dlspec-rules")):
            items.append(RuleTest.from_parent(parent, name=rule, judged=judged))


def rule_ids(pattern):
    done = subprocess.run([_files.find("bin/dlspec"), "rules", pattern], capture_output=True, text=True)
    if done.returncode != 0:
        raise pytest.UsageError(done.stderr.strip())
    if not set(pattern) & set("*?{"):
        return [pattern]  # one rule, which is explained in place of a list
    return [line.split()[0] for line in done.stdout.splitlines() if line.strip()]


class Judged:
    """The result document of a subject; it is made when it is first asked for."""

    def __init__(self, config, subject):
        self.config, self.subject, self.document = config, subject, None

    def records(self, rule):
        if self.document is None:
            self.document = self.shared() if self.config.stash[_FOLDER] else self.run()
        if "error" in self.document:
            raise NotJudged(self.document["error"])
        return [record for record in self.document["results"] if record["rule"] == rule]

    def shared(self):
        """The first worker of pytest-xdist that comes here makes the document, and the others read it."""
        folder = self.config.stash[_FOLDER]
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, "".join(c if c.isalnum() else "_" for c in self.subject))
        with open(path + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(path):
                document = self.run()
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(document, file)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def run(self):
        option = self.config.getoption
        command = [_files.find("bin/dlspec"), "run", self.subject, "--python", sys.executable, "--quiet"]
        command += ["--rules", option("--dlspec-rules")]
        command += ["--baseline", option("--dlspec-baseline")] if option("--dlspec-baseline") else []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "result.json")
            done = subprocess.run([*command, "--json", path], capture_output=True, text=True)
            with contextlib.suppress(OSError):
                document = read_result(path)
                if any(record["status"] != "blocked" for record in document["results"]):
                    return document
            return {"error": done.stderr.strip() or f"dlspec ended with status {done.returncode}"}


class NotJudged(Exception):
    pass


class Violated(Exception):
    pass


class Subject(pytest.Collector):
    def collect(self):
        return []


class RuleTest(pytest.Item):
    def __init__(self, *, judged, **arguments):
        super().__init__(**arguments)
        self.judged = judged
        self.add_marker("dlspec")

    def runtest(self):
        records = self.judged.records(self.name)
        violated = VIOLATED + (("warn",) if self.config.getoption("--dlspec-strict") else ())
        of = {name: [each for each in records if each["status"] in name] for name in (violated, ("xfail",), ("xpass",))}
        if of[violated]:
            raise Violated(message(of[violated]))
        if of[("xpass",)]:
            raise Violated("the baseline lists it, and it does not occur any more:\n" + message(of[("xpass",)]))
        if of[("xfail",)]:
            pytest.xfail(of[("xfail",)][0].get("observed", "accepted by the baseline"))
        if all(record["status"] in SILENT for record in records):
            reasons = {record.get("observed") or record["status"] for record in records}
            pytest.skip("; ".join(sorted(reasons)[:2]) if reasons else "no case of this subject is about it")
        for record in records:
            if record["status"] == "warn":
                self.warn(pytest.PytestWarning(message([record])))

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, (Violated, NotJudged)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return "dlspec", None, f"{self.judged.subject}: {self.name}"


def message(records):
    """Observed and allowed, once for each pair of them, with a case that shows it and how to repeat it."""
    groups = {}
    for record in records:
        groups.setdefault((record.get("observed"), record.get("allowed")), []).append(record)
    texts = []
    for (observed, allowed), group in list(groups.items())[:SHOWN]:
        first = group[0]
        more = f" and {len(group) - 1} more" if len(group) > 1 else ""
        texts.append(
            f"{first['status']} {first['rule']} ({first['level']}) in {first['case']}{more}\n"
            f"  observed  {observed}\n  allowed   {allowed}\n  repeat    {first.get('reproduce')}"
        )
    return "\n".join(texts)
