"""The action's steps, run as GitHub would run them: the bodies of action.yml in a shell, with its files and variables.

  action_test.py BUILD

dlspec is installed by pip from a folder, from a wheel that leads to BUILD's program. What GitHub's own actions do
(cache, upload) is left out.
"""

import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import action

BUILD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else pathlib.Path("build/release").resolve()
TEXT = (action.ROOT / "action.yml").read_text(encoding="utf-8")
# Dies of what it makes of negative strides, and refuses in words that look like a command to GitHub.
FAULTY = f"""
import sys
sys.path.insert(0, "{action.ROOT}/conformance/selfcheck/fakes")
import segfault
def make(spec):
    if spec.dtype == "int8":
        raise NotImplementedError("::error::not a command to GitHub")
    return segfault.make(spec)
contents = segfault.contents
"""


def steps():
    """(id, body, names of the variables) of each step that runs something."""
    for text in re.split(r"\n    - ", TEXT.partition("\n  steps:")[2])[1:]:
        body = re.search(r"^ *run: (.*)$", text, re.MULTILINE)
        if body:
            name = re.search(r"^ *id: (\w+)$", text, re.MULTILINE)
            yield name[1] if name else "", body[1], re.findall(r"^ {8}(DLSPEC_ACTION_\w+): ", text, re.MULTILINE)


def make_wheel(folder):
    """A package whose script `dlspec` is BUILD's program."""
    version = action.release()
    info = f"dlspec-{version}.dist-info"
    files = {
        f"dlspec-{version}.data/scripts/dlspec": f'#!/bin/sh\nexec "{BUILD}/bin/dlspec" "$@"\n',
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: dlspec\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = []
    with zipfile.ZipFile(folder / f"dlspec-{version}-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(text)}")
        archive.writestr(f"{info}/RECORD", "\n".join([*lines, f"{info}/RECORD,,"]) + "\n")


def read_outputs(path):
    return {name: value for name, _, value in re.findall(r"^(\w+)<<(\S+)\n(.*?)\n\2\n", path.read_text(), re.M | re.S)}


class Job:
    """A job on a runner: folders, files of outputs, the steps in their order."""

    def __init__(self, folder, **inputs):
        self.folder, self.inputs = folder, inputs
        self.outputs, self.printed, self.status = {}, "", 0
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "GITHUB_ACTION_PATH": str(action.ROOT),
            "RUNNER_TEMP": str(folder),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "PYTHONPATH": f"{BUILD}/lib/python",  # for the faulty subject
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(folder),
        }
        make_wheel(folder)
        (folder / "summary.md").touch()

    def value(self, variable):
        name = variable.removeprefix("DLSPEC_ACTION_").lower()
        return self.outputs["folder"] if name == "folder" else self.inputs.get(name, "")

    def run(self):
        for name, body, variables in steps():
            file = self.folder / f"outputs-{name or 'none'}"
            file.touch()
            given = {variable: self.value(variable) for variable in variables}
            done = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", body],
                env={**self.environment, **given, "GITHUB_OUTPUT": str(file)},
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            self.printed += done.stdout
            self.outputs.update(read_outputs(file))
            self.status = done.returncode
            if self.status:
                break
        return self


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def job(self, **inputs):
        return Job(self.folder, **inputs).run()

    def test_there_are_four_steps_and_each_is_one_call(self):
        found = [body for _, body, _ in steps()]
        self.assertEqual(len(found), 4)
        for body, name in zip(found, action.STEPS):
            self.assertEqual(body, f'python3 "$GITHUB_ACTION_PATH/.github/action/action.py" {name}')

    def test_a_subject_that_conforms(self):
        job = self.job(subject="builtin")
        self.assertEqual(job.status, 0, job.printed)
        self.assertEqual(job.outputs["status"], "0")
        self.assertRegex(job.outputs["verdict"], r"^dlspec [0-9.]+ conforms; .* exercised$")
        reports = pathlib.Path(job.outputs["reports"])
        self.assertEqual({path.name for path in reports.iterdir()}, set(action.REPORTS.values()))
        self.assertIn("<svg", pathlib.Path(job.outputs["badge"]).read_text())
        self.assertIn("| builtin |", (self.folder / "summary.md").read_text())

    def test_inputs_become_options(self):
        given = {"subject": ["numpy", "./a b.py"], "python": "/x/python", "baseline": "shipped", "level": "must"}
        words = action.command(self.folder, {**given, "arguments": ["--role", "consumer"]})
        self.assertEqual(words[1:6], ["run", "numpy", "./a b.py", "--python", "/x/python"])
        self.assertEqual(words[7:11], ["--baseline", "shipped", "--level", "must"])
        self.assertEqual(words[-2:], ["--role", "consumer"])
        for option in action.REPORTS:
            self.assertIn("--" + option, words)

    def test_a_subject_that_fails_fails_the_last_step_alone_and_gives_no_commands(self):
        (self.folder / "faulty.py").write_text(FAULTY)
        job = self.job(
            subject="./faulty.py", arguments="-v --case 'producer/{int8,float32}/{c,negative}/max_version=1.3'"
        )
        self.assertEqual((job.status, job.outputs["status"]), (1, "1"), job.printed)
        self.assertRegex(job.outputs["verdict"], "does not conform")
        self.assertTrue(json.loads(pathlib.Path(job.outputs["sarif"]).read_text())["runs"][0]["results"])
        token = re.search(r"^::stop-commands::(\w+)$", job.printed, re.MULTILINE)
        between = job.printed[token.end() : job.printed.index(f"\n::{token[1]}::\n")]
        self.assertIn("::error::not a command", between)
        self.assertNotIn("::error::not a command", job.printed.replace(between, ""))

    def test_what_is_not_judged_stands_in_the_summary(self):
        job = self.job(subject="nothing-of-this-name")
        self.assertEqual(job.status, 2)
        self.assertIn("nothing-of-this-name", (self.folder / "summary.md").read_text())

    def test_inputs_that_cannot_be_meant_are_refused_before_anything_is_installed(self):
        for inputs, said in (
            ({"subject": ""}, "the input subject is empty"),
            ({"subject": "--strict"}, "belongs to the input arguments"),
            ({"subject": "numpy 'x"}, "words as for a shell"),
            ({"subject": "numpy", "version": "1; rm -rf /"}, "give a release such as"),
            ({"subject": "numpy", "python": "python-of-nowhere"}, "was not found"),
        ):
            with self.subTest(inputs):
                job = Job(self.folder, **inputs).run()
                self.assertEqual(job.status, 2)
                self.assertRegex(job.printed, f"^::error title=dlspec::.*{re.escape(said)}")
                self.assertFalse(list(self.folder.glob("dlspec-*/environment")))

    def test_the_cache_of_the_newest_release_is_a_days(self):
        def names(subject, day):
            return action.cache_names({"subject": [subject], "version": ""}, day)

        self.assertEqual(names("numpy==2.4.6", "2026-01-01"), names("numpy==2.4.6", "2026-01-02"))
        self.assertNotEqual(names("numpy@latest", "2026-01-01")["key"], names("numpy@latest", "2026-01-02")["key"])
        self.assertEqual(names("numpy@latest", "2026-01-01")["older"], names("numpy@latest", "2026-01-02")["older"])
        self.assertNotEqual(names("numpy==2.4.6", "")["older"], names("numpy==2.4.5", "")["older"])

    def test_a_long_summary_is_cut_at_a_line(self):
        report = self.folder / "report.md"
        report.write_text("a line\n" * 200_000)
        data = action.summary(report, "", 0)
        self.assertLess(len(data), 1 << 20)
        self.assertTrue(data.endswith(b"a line\n\nThe rest is in the reports.\n"))

    def test_what_is_installed(self):
        self.assertEqual(action.requirement(""), f"dlspec=={action.release()}")
        self.assertEqual(action.requirement("9.1"), "dlspec==9.1")
        self.assertEqual(action.requirement("source"), str(action.ROOT))


if __name__ == "__main__":
    unittest.main()
