"""Judges subjects in forks of a process that has loaded everything, as the worker of `dlspec run --jobs 1` does.

A run by the command costs a start, a report and second runs for each subject; a fork costs the cases alone. It begins
with the cases that decide the rule that was meant, as with `--rules`, and ends where that rule is found. Deaths are
told as by the command: by what the worker says of the access, else under the primary rule of the case; after three
under one rule, or fifteen in all, such cases are left out. Not seen: what happens at the exit of a process, and what
sequences show (measure.py).
"""

import collections
import gc
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DEADLINE = 20  # seconds for one case
PER_RULE, IN_ALL = 3, 15  # of judging/death_policy.h

Judged = collections.namedtuple("Judged", "found met note")


def record(build, more=()):
    """role -> the cases that `dlspec run`, with `more` options, asks of a Python library, in its order."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, "cases")
        call = [build / "bin" / "dlspec", "run", HERE / "record.py", "--jobs", "1", "--quiet", *more]
        environment = {**os.environ, "DLSPEC_RECORD": str(place)}
        ended = subprocess.run(call, env=environment, capture_output=True, text=True)
        cases = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()] if place.exists() else []
    if "recorded" not in ended.stdout + ended.stderr and not cases:
        raise RuntimeError(f"the plan could not be written down: {ended.stderr}")
    cases = [case for case in cases if not is_sequence(case["id"])]
    return {role: [case for case in cases if case["role"] == role] for role in ("producer", "consumer")}


def is_sequence(identity):
    return "/sequence=" in identity


def load(build):
    """Imports whatever the subjects and the worker need. Once, before the first fork."""
    os.environ["DLSPEC_NATIVE"] = str(build / "lib" / "python" / "dlspec" / "_native.abi3.so")
    os.environ["DLSPEC_EXHIBIT"] = "doubles.Array"
    sys.dont_write_bytecode = True
    worker, zoo = ROOT / "conformance" / "worker" / "python", HERE.parent / "zoo" / "python"
    sys.path[:0] = [str(HERE / "python"), str(worker), str(zoo)]
    import conditional  # noqa: F401
    import testing
    import zoo as adapters  # noqa: F401
    from dlspec_worker import main  # noqa: F401

    for module in (zoo / "exhibits").glob("*.py"):
        __import__(f"exhibits.{module.stem}")
    for module in (HERE / "python").glob("unseen_*.py"):
        __import__(module.stem)
    native = testing.load_native()
    gc.collect()
    gc.freeze()
    return native, testing


class Warm:
    """The process that forks, and the plan."""

    def __init__(self, build, more=()):
        self.cases = record(build, more)
        self.native, testing = load(build)
        self.primary = {}
        for role, cases in self.cases.items():
            for case in cases:
                rules = testing._rules_of(role, case["variant"], case["layout"])
                self.primary[case["id"]] = next(each for each in [*rules, *case["rules"]] if each in case["rules"])

    def judge(self, subject, condition, role, meant=()):
        """All cases; none after the one that finds a rule of `meant`. Those that decide such a rule are asked first,
        by themselves; where they do not find it, the whole is asked again from the beginning.
        """
        deciding = [case for case in self.cases[role] if set(meant).intersection(case["rules"])]
        judged = self._judge(subject, condition, deciding, meant)
        if set(meant).intersection(judged.found):
            return judged
        return self._judge(subject, condition, self.cases[role], meant)

    def _judge(self, subject, condition, cases, meant):
        with tempfile.TemporaryDirectory() as folder:
            met = pathlib.Path(folder, "met")
            attempt = _Attempt(self, {"DLSPEC_EXHIBIT": subject, "DLSPEC_CONDITION": condition}, met)
            for case in cases:
                if set(meant).intersection(attempt.found):
                    break
                attempt.ask(case)
            attempt.end()
            return Judged(attempt.found, met.exists(), attempt.note)


class _Attempt:
    """One subject, in a fork, or in a new one after each death. found: rule -> the first case that shows it."""

    def __init__(self, warm, environment, met):
        self._warm = warm
        self._environment = {**environment, "DLSPEC_CONDITION_MET": str(met)}
        self._deaths = collections.Counter()
        self._pid = None
        self.found, self.note = {}, ""

    def ask(self, case):
        primary = self._warm.primary[case["id"]]
        if self._deaths[primary] >= PER_RULE or sum(self._deaths.values()) >= IN_ALL:
            return
        if self._pid is None:
            self._fork()
        reply = self._reply(case)
        if reply is None or "fault" in reply:
            self._deaths[primary] += 1
            self._find(_culprit(reply, case) or primary, case)
            self.end()
            return
        for rule, outcome in reply.get("outcomes", {}).items():
            if outcome["outcome"] in ("violated", "info"):
                self._find(rule, case)
        self.note = self.note or reply.get("adapter_fault", "")

    def _find(self, rule, case):
        self.found.setdefault(rule, case["id"])

    def _reply(self, case):
        try:
            self._channel.sendall((json.dumps({"case": case}) + "\n").encode())
        except OSError:
            return None
        while b"\n" not in self._unread:
            if not select.select([self._channel], [], [], DEADLINE)[0]:
                return None
            received = self._channel.recv(1 << 16)
            if not received:
                return None
            self._unread += received
        line, _, self._unread = self._unread.partition(b"\n")
        return json.loads(line)

    def _fork(self):
        self._channel, theirs = socket.socketpair()
        self._unread = b""
        sys.stdout.flush()
        self._pid = os.fork()
        if self._pid:
            theirs.close()
            return
        status = 1
        try:
            self._channel.close()
            os.environ.update(self._environment)
            _serve(theirs.detach(), self._warm.native)
            status = 0
        finally:
            os._exit(status)

    def end(self):
        if self._pid is not None:
            self._channel.close()
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = None


def _culprit(reply, case):
    """The rule that a death breaks, as in worker/protocol/fault.cc; None where that is not certain."""
    fault = (reply or {}).get("fault")
    if not fault:
        return None
    if "exception" in fault:
        rule = "managed.deleter-nothrow" if fault.get("deleter") else None
    elif fault.get("state") == "closed":
        rule = "managed.no-touch-after-delete"
    elif (fault.get("state"), fault.get("where")) == ("read-only", "inside"):
        rule = "flags.read-only-not-written"
    else:
        rule = "tensor.element-address"
    return rule if rule in case["rules"] else None


def _serve(descriptor, native):
    """The worker, in the fork."""
    from dlspec_worker import main
    from dlspec_worker.channel import conversation, loading
    from dlspec_worker.subject.library import Library

    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    path = str(HERE / "subject.py")
    native.channel_open(descriptor)
    library = Library(loading.load_adapter(path), path)
    conversation._serve(native, lambda case: main.judge(case, library, native))
