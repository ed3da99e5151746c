"""Documents that the command writes, against the schemas that are published. Usage: schema_test.py BUILD_DIR"""

import collections
import copy
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit("this test needs the Python module jsonschema (Debian: python3-jsonschema)")

HERE = pathlib.Path(__file__).resolve().parent
FAKES = HERE.parents[1] / "selfcheck" / "fakes"
sys.path.append(str(HERE.parents[1] / "python" / "package"))
RESULT, WHOLE, SARIF = "dlspec-result-2.schema.json", "dlspec-result-1.schema.json", "sarif-2.1.0.subset.schema.json"
import result  # noqa: E402 -- found by the line above

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description", "then", "else"}
HOSTILE = "<script>alert(\"1\" & '2')</script>\n| a | *b* `c` ]]> \x1b[31m \u00ff"
RULE = "tensor.element-address"


@functools.cache
def published(name):
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def closed(schema):
    """The schema without room for properties that it does not name: readers ignore them, and dlspec writes none."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    open_to_all = "properties" in schema and "type" in schema and "additionalProperties" not in schema
    return {key: closed(each) for key, each in schema.items()} | (
        {"additionalProperties": False} if open_to_all else {}
    )


def problems(document, name=RESULT):
    """A line for each: where, and the keyword that does not hold."""
    found = Draft202012Validator(closed(published(name))).iter_errors(document)
    return [f"{each.json_path}: {each.validator}" for each in found]


def keywords(schema):
    """Every keyword that the schema uses; names of properties and definitions are none."""
    for key, value in schema.items():
        yield key
        inside = value.values() if key in ("properties", "$defs") else value if isinstance(value, list) else [value]
        for each in inside:
            if isinstance(each, dict) and key not in ("const", "enum"):
                yield from keywords(each)


def sample_record(status, subject="numpy", case="", observed="seen"):
    record = {"subject": subject, "role": "producer", "rule": RULE, "case": case or f"producer/float32/c/{status}"}
    record |= {"level": "must", "status": status}
    if status not in ("pass", "not-applicable"):
        record |= {"observed": observed, "allowed": "what the rule says", "reproduce": "dlspec run numpy"}
    return record


def sample_subject(subject, name):
    facts = {"version": "2.4.6", "kind": "python", "roles": ["producer"], "requirement": "", "loaded_from": "/a<b>"}
    return {"subject": subject, "name": name, "interpreter": "CPython 3.11.2", "build": "revision 1a2b"} | facts


def sample_document():
    """Every status, and texts that need escaping."""
    statuses = published(RESULT)["$defs"]["status"]["enum"]
    records = [sample_record(status) for status in statuses]
    records.append(sample_record("fail", case="producer/float32/negative/plain"))
    records.append(sample_record("fail", "./a b.py", "producer/float32/c/plain", HOSTILE))
    return {
        "schema": "dlspec-result/1",
        "dlspec": {"version": "0.1.0", "commit": "0123abc"},
        "seed": 7,
        "host": {"machine": "x86_64"},
        "seconds": {"numpy": {"environment": 0, "import": 0.5, "judging": 2}},
        "subjects": [sample_subject("numpy", "NumPy"), sample_subject("./a b.py", HOSTILE)],
        "results": records,
        "rules": {"specified": 1, "checked": 1, "tested": 1, "exercised": 1, "exercised_ids": [RULE]},
        "summary": collections.Counter(record["status"] for record in records),
    }


class Documents(unittest.TestCase):
    build = ""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "sample.json").write_text(json.dumps(sample_document()), encoding="utf-8")
        empty = sample_document() | {"subjects": [], "results": [], "seconds": {}, "summary": {}}
        (cls.folder / "empty.json").write_text(json.dumps(empty), encoding="utf-8")
        few = ("--case", "producer/float32/*", "--rules", "tensor.*")
        cls.dlspec("run", "builtin", *few, "--shard", "1/2", "--json", "run.json", "--sarif", "run.sarif")
        fakes = [str(FAKES / f"{name}.py") for name in ("honest", "blind")]
        python = ("--python", sys.executable)
        cls.dlspec("matrix", *fakes, *python, "--case", "exchange/float32/rank1/*", "--json", "matrix.json")
        cls.dlspec("run", str(FAKES / "segfault.py"), *python, *few, "--json", "fails.json", "--sarif", "fails.sarif")
        for name in ("sample", "empty", "matrix"):
            cls.dlspec("report", f"{name}.json", "--json", f"{name}-again.json", "--sarif", f"{name}.sarif")

    @classmethod
    def dlspec(cls, *arguments):
        """Runs it; findings are no failure of this test, and the reports that it wrote are looked at."""
        build = pathlib.Path(cls.build)
        environment = dict(os.environ, PYTHONPATH=str(build / "lib/python"))
        command = [str(build / "bin" / "dlspec"), *arguments, "--quiet"]
        done = subprocess.run(
            command, cwd=cls.folder, env=environment, capture_output=True, text=True, errors="replace", check=False
        )
        assert done.returncode in (0, 1), (command, done.returncode, done.stderr)

    def read(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def written(self):
        """The sample as the command writes it, with a shard."""
        return self.read("sample-again.json") | {"shard": {"index": 1, "count": 2}}

    def test_what_is_written_follows_the_schema(self):
        for name in ("run", "fails", "matrix", "sample-again", "empty-again", "matrix-again"):
            self.assertEqual(problems(self.read(f"{name}.json")), [], name)
        self.assertEqual(problems(self.written()), [])
        self.assertIn("shard", self.read("run.json"))
        self.assertIn("crash", self.read("fails.json")["summary"])
        self.assertTrue(any("came" in record for record in self.read("matrix.json")["results"]))

    def test_every_status_is_written(self):
        statuses = {record["status"] for record in result.unfold(self.read("sample-again.json"))["results"]}
        self.assertEqual(statuses, set(published(RESULT)["$defs"]["status"]["enum"]))

    def test_what_is_unfolded_is_what_was_folded(self):
        sample = json.loads(json.dumps(sample_document()).replace("\\u001b", "\\\\x1b"))  # is read as what it shows
        self.assertEqual(result.unfold(self.read("sample-again.json"))["results"], sample["results"])
        for name in ("run", "fails", "matrix", "sample-again", "empty-again"):
            folded = self.read(f"{name}.json")
            folded.pop("shard", None)  # a report wants the others as well
            unfolded = result.unfold(folded)
            self.assertEqual(problems(unfolded, WHOLE), [], name)
            self.assertEqual(len(unfolded["results"]), sum(folded["summary"].values()))
            self.assertIs(result.unfold(unfolded), unfolded)
            (self.folder / "unfolded.json").write_text(json.dumps(unfolded), encoding="utf-8")
            self.dlspec("report", "unfolded.json", "--json", "folded.json")
            self.assertEqual(self.read("folded.json"), folded, name)
        self.assertLess(len(self.read("run.json")["results"]), sum(self.read("run.json")["summary"].values()) / 10)

    def test_sarif_keeps_to_the_standard(self):
        for name in ("run", "fails", "sample", "empty", "matrix"):
            self.assertEqual(problems(self.read(f"{name}.sarif"), SARIF), [], name)
        self.assertEqual(len(self.read("sample.sarif")["runs"][0]["results"]), 8)

    def test_schemas_are_schemas(self):
        known = set(Draft202012Validator.VALIDATORS) | ANNOTATIONS
        for name in (RESULT, WHOLE, SARIF):
            Draft202012Validator.check_schema(published(name))
            self.assertEqual(set(keywords(published(name))) - known, set(), "the validator passes over these")

    def test_a_property_that_is_read_must_be_there(self):
        document = self.written()
        del document["results"][1]["observed"]
        self.assertEqual(problems(document), ["$.results[1]: required"])
        document = self.written()
        del document["folded"]["levels"]
        self.assertEqual(problems(document), ["$.folded: required"])

    def test_what_a_document_is_not_is_refused(self):
        rows = (
            ("schema", "dlspec-result/3", "$.schema: const"),
            ("seed", -1, "$.seed: minimum"),
            ("shard/index", 0, "$.shard.index: minimum"),
            ("results/1/status", "bad", "$.results[1].status: enum"),
            ("results/1/status", "pass", "$.results[1]: not"),
            ("folded/outcomes/0/status", "bad", "$.folded.outcomes[0].status: enum"),
            ("folded/patterns/0/runs/0/0", 0, "$.folded.patterns[0].runs[0][0]: minimum"),
            ("folded/patterns/0/runs/0/1", "whole", "$.folded.patterns[0].runs[0][1]: anyOf"),
            ("folded/cases/0/cases/0/0", "numpy", "$.folded.cases[0].cases[0][0]: type"),
            ("results/1/rule", "No Rule", "$.results[1].rule: pattern"),
            ("subjects/0/kind", "ruby", "$.subjects[0].kind: enum"),
            ("subjects/0/unpublished", 1, "$.subjects[0]: additionalProperties"),
            ("summary/unknown", 1, "$.summary: enum"),
            ("host/cores", 2, "$.host.cores: type"),
            ("seconds/numpy/import", -1, "$.seconds.numpy.import: minimum"),
        )
        for place, value, problem in rows:
            self.assertEqual(problems(changed(self.written(), place, value)), [problem])

    def test_a_broken_exchange_is_refused(self):
        document = self.read("matrix.json")
        place = next(index for index, record in enumerate(document["results"]) if "came" in record)
        lent = changed(document, f"results/{place}/came/memory", "lent")
        self.assertEqual(problems(lent), [f"$.results[{place}].came.memory: enum"])
        del document["results"][0]["producer"]
        self.assertEqual(problems(document), ["$.results[0]: anyOf"])

    def test_broken_sarif_is_refused(self):
        report = self.read("sample.sarif")
        for place, value, problem in (
            ("version", "2.2.0", "$.version: const"),
            ("runs/0/results/0/level", "fatal", "$.runs[0].results[0].level: enum"),
            ("runs/0/results/0/ruleIndex", -1, "$.runs[0].results[0].ruleIndex: minimum"),
            ("runs/0/results/0/unknown", 1, "$.runs[0].results[0]: additionalProperties"),
        ):
            self.assertEqual(problems(changed(report, place, value), SARIF), [problem])


def changed(document, place, value):
    """A copy with another value at "a/0/b"."""
    document = copy.deepcopy(document)
    *path, last = (int(step) if step.isdigit() else step for step in place.split("/"))
    functools.reduce(lambda inner, step: inner[step], path, document)[last] = value
    return document


if __name__ == "__main__":
    Documents.build = sys.argv.pop(1)
    unittest.main()
