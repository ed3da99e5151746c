"""The workflows run nothing but `bash .github/job NAME`, and every such job's commands are there.

job_test.py        .github/job says of each job what it calls, and fails where a script of the project is missing
"""

import itertools
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def job(*arguments, root=ROOT):
    command = ["bash", str(root / ".github/job"), *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def bodies(text):
    """The body of each `run:`, folded or not."""
    return [body.strip() for body in re.findall(r"^ *(?:- )?run: ?(.*(?:\n {10,}(?!\w+:).*)*)", text, re.MULTILINE)]


def called(text):
    """The jobs that a workflow calls: by name, or by a matrix."""
    for body in bodies(text):
        name = re.fullmatch(r'bash \.github/job (?:(\w+)|"\$JOB")', body)
        if not name:
            raise AssertionError(f"a `run:` that is no job of .github/job: {body}")
        if name[1]:
            yield name[1]
        else:
            yield from re.search(r"^ +job: \[(.*)\]$", text, re.MULTILINE)[1].split(", ")


class Jobs(unittest.TestCase):
    def test_workflows_call_jobs_and_nothing_else(self):
        found = set(itertools.chain.from_iterable(called(path.read_text(encoding="utf-8")) for path in WORKFLOWS))
        self.assertEqual(found, set(job("--list").stdout.split()))

    def test_a_body_that_is_no_job_is_noticed(self):
        for text in ("      - run: pip install x\n", "      - run: |\n          bash .github/job gcc\n          ls\n"):
            with self.assertRaises(AssertionError):
                list(called(text))

    def test_what_jobs_need_is_there(self):
        for name in job("--list").stdout.split():
            with self.subTest(name):
                done = job("--show", name)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertTrue(done.stdout.strip())

    def test_unknown_jobs_are_wrong_usage(self):
        self.assertEqual(job("nothing").returncode, 2)
        self.assertEqual(job("--show").returncode, 2)


if __name__ == "__main__":
    unittest.main()
