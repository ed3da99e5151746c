"""The table of subjects, and what is known about them elsewhere: their packages and the findings.

python3 conformance/evidence/fleet/subjects.py NAME...     prints NAME==VERSION for each, as pinned in subjects.json
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import sys
import tempfile

try:
    import tomllib
except ImportError:
    tomllib = None

HERE = pathlib.Path(__file__).resolve().parent
EVIDENCE = HERE.parent
TABLE = HERE / "subjects.json"
REQUIRED = {"library", "light", "pinned", "older"}
OPTIONAL = {"beside", "counts"}  # of the pinned release: packages installed beside it, and what the light part counts


@dataclasses.dataclass(frozen=True)
class Subject:
    library: str  # the adapter's name
    version: str  # a release, or "latest"
    light: bool = False  # of the part that every test run judges
    pinned: bool = False  # the release that tests and figures use; else an older one, or the newest
    beside: tuple = ()  # requirements that fix what is installed beside it
    counts: tuple = ()  # pairs of status and number, as `dlspec run --baseline shipped` counts them

    @property
    def text(self):
        """As `dlspec run` takes it."""
        return f"{self.library}@latest" if self.version == "latest" else f"{self.library}=={self.version}"


def read_rows(path=TABLE):
    rows = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    for row in rows:
        if not REQUIRED <= set(row) <= REQUIRED | OPTIONAL:
            keys = f"{', '.join(sorted(REQUIRED))} and may have {', '.join(sorted(OPTIONAL))}"
            raise ValueError(f"{path}: the row {row.get('library')} must have the keys {keys}")
    return rows


def write_rows(rows, path=TABLE):
    lines = ",\n".join(f" {json.dumps(row)}" for row in rows)
    pathlib.Path(path).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def subject_of(row):
    beside = tuple(row.get("beside", ()))
    counts = tuple(sorted(row.get("counts", {}).items()))
    return Subject(row["library"], row["pinned"], row["light"], True, beside, counts)


def read_subjects(path=TABLE):
    """The pinned release of every library first, then the older ones; newest first."""
    rows = read_rows(path)
    older = [Subject(row["library"], version) for row in rows for version in reversed(row["older"])]
    return [subject_of(row) for row in rows] + older


@contextlib.contextmanager
def constraints(subject):
    """Environment variables under which what is installed beside the subject is what the table says."""
    if not subject.beside:
        yield {}
        return
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "constraints.txt"
        path.write_text("".join(f"{each}\n" for each in subject.beside), encoding="utf-8")
        yield {"UV_CONSTRAINT": os.fspath(path)}


def facts_of(library):
    """What the adapter's NAME.toml says; before Python 3.11, which has a reader of TOML, its lines KEY = "TEXT"."""
    text = (EVIDENCE / "adapters" / f"{library.replace('-', '_')}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text) if tomllib else dict(re.findall(r'^(\w+) *= *"([^"\\]*)" *$', text, re.MULTILINE))


def package_of(library):
    """The name on the package index, without extras."""
    return facts_of(library).get("distribution", library).split("[")[0]


def read_remarks(path=HERE / "remarks.json"):
    """Rule -> why an `info` of it needs no finding."""
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def read_findings(path=EVIDENCE / "history" / "faults.json"):
    """The entries with a reproducer; what is only re-created explains no real release."""
    return [entry for entry in json.loads(pathlib.Path(path).read_text(encoding="utf-8")) if "exhibit" not in entry]


def main(names):
    pinned = {row["library"]: subject_of(row).text for row in read_rows()}
    unknown = [name for name in names if name not in pinned]
    if unknown or not names:
        known = ", ".join(pinned)
        print(f"subjects.py: give names of {TABLE.name} ({known}), not '{' '.join(unknown)}'", file=sys.stderr)
        return 2
    print("\n".join(pinned[name] for name in names))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
