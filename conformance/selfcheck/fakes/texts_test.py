"""A library's texts may hold any bytes: they cost no case, and every report stays readable.

Usage: texts_test.py BUILD_DIR
"""

import collections
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

FAKES = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(FAKES, "..", "..", "python", "package"))

from result import unfold  # noqa: E402

CASES = "*/float32/{c,rank1,readonly,negative}/*"


def run(build, name, folder):
    """(name -> what it wrote, the console's text)."""
    reports = {kind: os.path.join(folder, f"{name}.{kind}") for kind in ("json", "junit", "html", "markdown", "sarif")}
    command = [os.path.join(build, "bin", "dlspec"), "run", os.path.join(FAKES, name + ".py"), "--case", CASES]
    command += ["--python", sys.executable, "--role", "both"]
    command += [argument for kind, path in reports.items() for argument in (f"--{kind}", path)]
    environment = dict(os.environ, PYTHONPATH=os.path.join(build, "lib", "python"))
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    texts = {}
    for kind, path in reports.items():
        with open(path, encoding="utf-8") as file:  # strict: no report holds what is no UTF-8
            texts[kind] = file.read()
    return texts, done.stdout.decode("utf-8")


def main(build):
    with tempfile.TemporaryDirectory() as folder:
        texts, console = run(build, "odd_texts", folder)
        honest, _ = run(build, "honest", folder)
    document, plain = (unfold(json.loads(each["json"])) for each in (texts, honest))
    json.loads(texts["sarif"])
    xml.etree.ElementTree.fromstring(texts["junit"])
    statuses = collections.Counter(record["status"] for record in document["results"])
    assert statuses.keys() <= {"pass", "info", "unsupported", "not-applicable", "blocked"}, statuses
    said = {record["rule"] for record in document["results"] if record["status"] == "info"}
    left = {record["rule"] for record in document["results"] if record["status"] == "blocked"}
    assert left <= said, left - said  # paths leave what they say to the case of the stimulus
    assert len(document["results"]) == len(plain["results"]), "a case got lost"
    assert statuses["pass"] > len(plain["results"]) / 4, statuses
    refusals = {record["observed"] for record in document["results"] if "\ufffd" in record.get("observed", "")}
    assert any(text.startswith("\ufffd \ufffd") for text in refusals), refusals
    version = document["subjects"][0]["version"]
    assert version.startswith("1.0\ufffd"), version
    assert "\x1b[31m" not in console and "\0" not in console, "control characters reach the terminal"
    print(f"{len(document['results'])} results, {len(refusals)} refusals with odd texts")


if __name__ == "__main__":
    main(sys.argv[1])
