#!/usr/bin/env python3
"""Verdicts milder than the level of their rule come from mitigations.def, and one behaviour gets one verdict.

  mitigations_test.py [ROOT]

- No worker gives a verdict by itself: it names a row of the table, and each row that workers name is named by one.
- An observation that shipped baselines list for several libraries has one status, unless a library never claimed the
  standard that the rule is from.
- A finding of faults.json has the status of its rule, or of a row about it that is not to be mistaken.
"""

import ast
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else __file__).resolve()
if ROOT.is_file():
    ROOT = ROOT.parents[2]
CONFORMANCE = ROOT / "conformance"
sys.path.insert(0, str(CONFORMANCE / "evidence/history"))
import mitigations  # noqa: E402

WORKER = CONFORMANCE / "worker/python/dlspec_worker"
NATIVE = (CONFORMANCE / "worker/native", CONFORMANCE / "oracle", CONFORMANCE / "python/native")
MAY_FAIL = "native_case.h"  # wrong(): a wrong value, which fails whatever the level
BASELINES = CONFORMANCE / "evidence/baselines"
VERDICTS = ("fail", "warn", "info")


# --- the workers


def is_answer(node):
    """Whether a call is out.violated(...) or out.info(...)."""
    named = isinstance(node.func, ast.Attribute) and node.func.attr in ("violated", "info")
    return named and ast.unparse(node.func.value).split(".")[-1] == "out"


def constants(nodes):
    """Texts in these expressions, but for those that a call in them is given."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif not isinstance(node, ast.Call):
            yield from constants(ast.iter_child_nodes(node))


def complaints_of_python(name, text):
    """A line for each call that gives a verdict, or names a row that is not there."""
    known = mitigations.rows()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        for word in constants(node.args[3:]):
            if is_answer(node) and word not in known:
                yield f"{name}:{node.lineno}: {word!r} is no row of mitigations.def"


def complaints_of_native(name, text):
    for found in re.finditer(r"Outcome(?:::Kind::\w+)?[^;]*?\bVerdict::(fail|warn|info)\b", text):
        if not name.endswith(MAY_FAIL):
            line = text.count("\n", 0, found.end()) + 1
            yield f"{name}:{line}: Verdict::{found.group(1)} in an outcome; name a row of mitigations.def"


def sources():
    for path in sorted(WORKER.rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for folder in NATIVE:
        for path in sorted(folder.glob("*")):
            if path.suffix in (".cc", ".h") and not path.stem.endswith(("_test", "_testing")):
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def complaints(name, text):
    return complaints_of_python(name, text) if name.endswith(".py") else complaints_of_native(name, text)


# --- one behaviour, one verdict


def listed(texts):
    """(library, rule, case, status, observation) of every line of the baselines that tells what was observed."""
    for text in texts:
        library = ""
        for line in text.splitlines():
            library = line[len("library ") :] if line.startswith("library ") else library
            row = re.match(r'([a-z]+\.[\w-]+) (\S+) (fail|warn|info) "((?:[^"\\]|\\.)*)"', line)
            if row:
                yield (library, *row.groups())


def disagreements(texts):
    """A line for each observation that has several statuses without a reason."""
    known, seen = mitigations.rules(), {}
    for library, rule, case, status, observed in listed(texts):
        role, variant = case.partition("/")[0], case.rpartition("/")[2]
        # Exceptions are told in the words of each library: what came before them is the behaviour.
        behaviour = re.split(r"\w+(?:Error|Exception)\b", observed)[0]
        could_fail = known[rule][2] and status == "warn" and mitigations.claims_nothing("display", library)
        verdicts = {status, "fail"} if could_fail else {status}
        others, other = seen.setdefault((rule, role, variant, behaviour), (verdicts, library))
        if not others & verdicts:
            yield f"{rule}, {variant}, {observed!r}: {' or '.join(others)} for {other}, {status} for {library}"
        seen[rule, role, variant, behaviour] = (others & verdicts or others, other)


def unfounded(faults):
    for fault in faults:
        level, violated, _ = mitigations.rules()[fault["rule"]]
        yield from mitigations.complaints(fault)
        if not mitigations.is_milder(fault) and fault["status"] not in (violated, mitigations.USUAL[level], "fail"):
            yield f"{fault['id']}: {fault['status']} is neither the status of {fault['rule']} nor milder"


class Mitigations(unittest.TestCase):
    def test_tables_are_read_whole(self):
        text = (ROOT / "reference/vocabulary/mitigations.def").read_text(encoding="utf-8")
        self.assertEqual(len(mitigations.rows()), len(re.findall(r"^DLSPEC_MITIGATION\(", text, re.MULTILINE)))
        self.assertTrue(all(verdict in VERDICTS for _, _, verdict, *_ in mitigations.rows().values()))
        self.assertTrue(
            all(
                level in mitigations.USUAL and violated in VERDICTS
                for level, violated, _ in mitigations.rules().values()
            )
        )

    def test_workers_give_no_verdict_by_themselves(self):
        found = [line for name, text in sources() for line in complaints(name, text)]
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_verdicts_are_found(self):
        for text in (
            'trial.out.violated(rule, "seen", "right", "warn")',
            'out.violated(rule, "seen", "right", "info" if odd else None)',
            'trial.out.info(rule, "seen", "right", "no-such-row")',
        ):
            self.assertEqual(len(list(complaints("a.py", text))), 1, text)
        self.assertFalse(list(complaints("a.py", 'trial.out.violated(rule, "warn me", "right", "major-zero")')))
        bad = 'answer.set(rule, {Outcome::Kind::violated, "seen", "right",\n Verdict::warn});'
        self.assertEqual(len(list(complaints("a.cc", bad))), 1)
        self.assertFalse(list(complaints("a.cc", "if (verdict_of(finding) == Verdict::warn) return {};")))

    def test_each_row_that_workers_name_is_named_by_one(self):
        deaths = (CONFORMANCE / "verdict/verdict.cc").read_text(encoding="utf-8")  # a worker that died names nothing
        texts = [deaths, *(text for _, text in sources())]
        for identity, (scope, *_) in mitigations.rows().items():
            if scope == "observed":
                self.assertTrue(any(f'"{identity}"' in text for text in texts), identity)

    def test_one_behaviour_has_one_verdict(self):
        texts = [path.read_text(encoding="utf-8") for path in sorted(BASELINES.glob("*.txt"))]
        found = list(disagreements(texts))
        self.assertFalse(found, "\n" + "\n".join(found))
        self.assertGreater(len(list(listed(texts))), 100)

    def test_disagreements_are_found(self):
        line = '{} producer/float32/c/x {} "seen"\n'
        free = [
            "library NumPy\n" + line.format("managed.borrow", "fail"),
            "library JAX\n" + line.format("managed.borrow", "warn"),
        ]
        self.assertEqual(len(list(disagreements(free))), 1)
        claimed = [
            "library MLX\n" + line.format("stream.cpu-none", "fail"),
            "library Dr.Jit\n" + line.format("stream.cpu-none", "warn"),
        ]
        self.assertFalse(list(disagreements(claimed)), "Dr.Jit never claimed the array API")
        both = [
            "library MLX\n" + line.format("stream.cpu-none", "fail"),
            "library JAX\n" + line.format("stream.cpu-none", "warn"),
        ]
        self.assertEqual(len(list(disagreements(both))), 1, "both claim it")

    def test_findings_have_the_status_of_their_rule(self):
        faults = json.loads((CONFORMANCE / "evidence/history/faults.json").read_text(encoding="utf-8"))
        found = list(unfounded(faults))
        self.assertFalse(found, "\n" + "\n".join(found))
        odd = {"id": "x", "rule": "managed.borrow", "status": "warn"}
        self.assertEqual(len(list(unfounded([odd]))), 1)


if __name__ == "__main__":
    unittest.main()
