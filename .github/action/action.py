"""The steps of the GitHub action (action.yml at the top): each is one call, and a file carries facts from step to step.

prepare   reads the inputs, makes a folder, names the cache
install   puts dlspec into an environment of its own
judge     runs it with every report, fills the job's summary and the outputs
finish    ends with the exit status of the run

Inputs come as DLSPEC_ACTION_NAME, so that no text of a workflow is ever read by a shell.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "conformance/setup"))
from check_release import version as release  # noqa: E402 (the version of dlspec that the action comes with)

INPUTS = ("subject", "version", "python", "baseline", "level", "arguments")
REPORTS = {
    "json": "result.json",
    "markdown": "report.md",
    "html": "report.html",
    "junit": "junit.xml",
    "sarif": "result.sarif",
    "badge": "badge.svg",
}
SUMMARY_LIMIT = 1_000_000  # bytes; GitHub refuses a summary of more than 1 MiB
WRONG_USAGE = 2


class Refused(Exception):
    """An input that cannot be meant; the message says what to do."""


def outputs(values):
    """Appends to the step's outputs; a value of several lines stands between two marks."""
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        for name, value in values.items():
            mark = "end-" + hashlib.sha256(value.encode()).hexdigest()
            file.write(f"{name}<<{mark}\n{value}\n{mark}\n")


# --- prepare


def read_inputs():
    given = {name: os.environ.get("DLSPEC_ACTION_" + name.upper(), "").strip() for name in INPUTS}
    try:
        given["subject"] = shlex.split(given["subject"])
        given["arguments"] = shlex.split(given["arguments"])
    except ValueError as error:
        raise Refused(f"the inputs subject and arguments are words as for a shell: {error}") from error
    if not given["subject"]:
        raise Refused("the input subject is empty: name what is judged, such as numpy, ./adapter.py or ./libmine.so")
    for word in given["subject"]:
        if word.startswith("-"):
            raise Refused(f"{word} is an option: it belongs to the input arguments")
    if not re.fullmatch(r"|source|[0-9][0-9A-Za-z.!+]*", given["version"]):
        raise Refused(f"the input version is '{given['version']}': give a release such as {release()}, or source")
    interpreter = shutil.which(given["python"] or "python3")
    if not interpreter:
        raise Refused(f"the interpreter {given['python']} was not found: set it up in a step before this one")
    given["python"] = interpreter
    return given


def cache_names(given, today):
    """What a cached environment depends on. Where the newest release is asked for, each day has a cache of its own."""
    wanted = json.dumps([given["subject"], given["version"] or release(), sys.version_info[:2], os.uname().machine])
    older = f"dlspec-{sys.platform}-{hashlib.sha256(wanted.encode()).hexdigest()[:16]}"
    newest = any(word.endswith("@latest") for word in given["subject"])
    return {"key": f"{older}-{today if newest else 'fixed'}", "older": older}


def prepare():
    given = read_inputs()
    folder = tempfile.mkdtemp(prefix="dlspec-", dir=os.environ["RUNNER_TEMP"])
    # One for all uses in a job: each asks for its own part of it.
    given["cache"] = os.path.join(os.environ["RUNNER_TEMP"], "dlspec-cache")
    pathlib.Path(folder, "inputs.json").write_text(json.dumps(given), encoding="utf-8")
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    outputs({"folder": folder, "cache": given["cache"], **cache_names(given, today)})


# --- install


def read_state():
    folder = pathlib.Path(os.environ["DLSPEC_ACTION_FOLDER"])
    return folder, json.loads((folder / "inputs.json").read_text(encoding="utf-8"))


def requirement(version):
    return str(ROOT) if version == "source" else f"dlspec=={version or release()}"


def install():
    folder, given = read_state()
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [environment / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, requirement(given["version"])], check=True)


# --- judge


def command(folder, given):
    program = str(folder / "environment" / "bin" / "dlspec")
    words = [program, "run", *given["subject"], "--python", given["python"], "--yes"]
    for option in ("baseline", "level"):
        if given[option]:
            words += ["--" + option, given[option]]
    for option, name in REPORTS.items():
        words += ["--" + option, str(folder / "reports" / name)]
    return words + given["arguments"]


def show(printed):
    """Prints it with GitHub's own commands switched off: a subject's texts may look like one."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}\n{printed}\n::{token}::", flush=True)


def verdicts(printed):
    first = re.compile(r"\S.* (conforms|does not conform|is not judged)\b")
    return [line for line in printed.splitlines() if first.match(line)]


def summary(report, printed, status):
    """The report where there is one; else what was printed, in which the reason stands."""
    if report.exists():
        text = report.read_text(encoding="utf-8", errors="replace")
    else:
        quoted = printed.replace("~~~", "~ ~ ~")
        text = f"# DLPack conformance\n\nThe run ended with {status}.\n\n~~~~~~\n{quoted}\n~~~~~~\n"
    data = text.encode()
    if len(data) > SUMMARY_LIMIT:
        data = data[:SUMMARY_LIMIT].rpartition(b"\n")[0] + b"\n\nThe rest is in the reports.\n"
    return data


def judge():
    folder, given = read_state()
    reports = folder / "reports"
    reports.mkdir(exist_ok=True)
    environment = {**os.environ, "DLSPEC_CACHE": given["cache"], "COLUMNS": "400", "NO_COLOR": "1"}
    done = subprocess.run(
        command(folder, given), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    printed = done.stdout.decode(errors="replace")
    show(printed)
    with open(os.environ["GITHUB_STEP_SUMMARY"], "ab") as file:
        file.write(summary(reports / REPORTS["markdown"], printed, done.returncode))
    (folder / "status").write_text(str(done.returncode), encoding="utf-8")
    made = {name: str(reports / REPORTS[name]) for name in ("sarif", "badge")}
    outputs(
        {
            "status": str(done.returncode),
            "verdict": "\n".join(verdicts(printed)),
            "reports": str(reports),
            **{name: path if os.path.exists(path) else "" for name, path in made.items()},
        }
    )


def finish():
    folder, _ = read_state()
    return int((folder / "status").read_text(encoding="utf-8"))


STEPS = {"prepare": prepare, "install": install, "judge": judge, "finish": finish}


def main(arguments):
    if len(arguments) != 1 or arguments[0] not in STEPS:
        print(f"usage: action.py {'|'.join(STEPS)}", file=sys.stderr)
        return WRONG_USAGE
    try:
        return STEPS[arguments[0]]() or 0
    except Refused as refused:
        print(f"::error title=dlspec::{refused}")
        return WRONG_USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
