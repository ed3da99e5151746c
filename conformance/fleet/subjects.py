"""The table of subjects, and what is known about them elsewhere: their packages and the findings."""

import dataclasses
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
CONFORMANCE = HERE.parent
KEYS = {"library", "light", "newest", "older"}


@dataclasses.dataclass(frozen=True)
class Subject:
    library: str  # the adapter's name
    version: str  # "latest", or a release
    light: bool  # of the part that every test run judges
    known: str = ""  # of "latest": the release that was the newest when its deviations were looked at

    @property
    def text(self):
        """As `dlspec run` takes it."""
        return f"{self.library}@latest" if self.version == "latest" else f"{self.library}=={self.version}"


def read_subjects(path=HERE / "subjects.json"):
    """The newest release of every library first, then the older ones; newest first."""
    rows = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    for row in rows:
        if set(row) != KEYS:
            raise ValueError(f"{path}: the row {row.get('library')} must have the keys {', '.join(sorted(KEYS))}")
    newest = [Subject(row["library"], "latest", row["light"], row["newest"]) for row in rows]
    return newest + [Subject(row["library"], version, False) for row in rows for version in reversed(row["older"])]


def facts_of(library):
    """The lines `key = "text"` of the adapter's packaging facts."""
    path = CONFORMANCE / "adapters" / f"{library.replace('-', '_')}.toml"
    facts = dict(line.split(" = ", 1) for line in path.read_text(encoding="utf-8").splitlines() if " = " in line and line[0] != "#")
    return {key: value.strip('"') for key, value in facts.items()}


def package_of(library):
    """The name on the package index, without extras."""
    return facts_of(library).get("distribution", library).split("[")[0]


def read_remarks(path=HERE / "remarks.json"):
    """Rule -> why an `info` of it accuses nobody, and needs no finding."""
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def read_findings(path=CONFORMANCE / "history" / "faults.json"):
    """The entries with a reproducer; what is only re-created explains no real release."""
    return [entry for entry in json.loads(pathlib.Path(path).read_text(encoding="utf-8")) if "exhibit" not in entry]
