"""One subject through `dlspec run`, and what is kept of the result document."""

import hashlib
import os
import shutil
import sys
import tempfile

import programs
import subjects

sys.path.append(str(subjects.EVIDENCE.parent / "python" / "package"))
from result import read_result  # noqa: E402 -- found by the line above; for the modules beside this one, too

DEVIATIONS = ("fail", "crash", "timeout", "warn", "info")
BUDGET = ("--budget", "1200")  # a subject is judged whole, also where other work keeps the machine busy


def fingerprint(build):
    """A hash of all that decides a verdict: the command, the extension, the workers and the adapters."""
    digest = hashlib.sha256()
    for folder in ("bin/dlspec", "lib/python", "share/dlspec/worker", "share/dlspec/adapters"):
        for path in files_under(os.path.join(build, folder)):
            digest.update(os.path.relpath(path, build).encode())
            with open(path, "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()[:16]


def files_under(path):
    if os.path.isfile(path):
        yield path
    for folder, folders, names in os.walk(path, followlinks=True):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".py", ".so", ".toml")))


def reduced(document):
    """What the page and the check need of a document about one subject."""
    subject = document["subjects"][0]
    kept = {key: subject[key] for key in ("name", "version", "interpreter", "requirement")}
    kept["seconds"] = document.get("seconds", {}).get(subject["subject"], {})
    kept["counts"] = {status: count for status, count in document["summary"].items() if count}
    deviations = {}
    for record in document["results"]:
        if record["status"] in DEVIATIONS:
            key = (record["role"], record["rule"], record["status"], record["observed"])
            deviations.setdefault(key, []).append(record["case"])
    kept["deviations"] = [
        dict(zip(("role", "rule", "status", "observed", "cases", "case"), (*key, len(cases), cases[0])))
        for key, cases in deviations.items()
    ]
    return kept


def judge(dlspec, subject, options=(), environment=None, keep=None):
    """Runs it: what is kept of the document, the exit status, what was said, and why where it was not judged.

    `environment`: variables beside those of this process. `keep`: where the document itself is put.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        command = [dlspec, "run", subject.text, "--yes", "--quiet", "--json", path, *BUDGET, *options]
        done = programs.run(command, env=os.environ | (environment or {}))
        said = [line.removeprefix("dlspec: ") for line in done.stderr.splitlines() if line.startswith("dlspec: ")]
        if done.returncode == 130:
            raise KeyboardInterrupt
        if done.returncode == 2 or not os.path.exists(path):
            raise RuntimeError(done.stderr or f"`{' '.join(command)}` ended with {done.returncode}")
        kept = reduced(read_result(path))
        if keep:
            shutil.copy(path, keep)
    kept |= {"status": done.returncode, "said": said}
    if done.returncode == 3:
        kept["unjudged"] = "; ".join(said) or "no reason was given"
    return kept
