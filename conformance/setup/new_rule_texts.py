"""The checkout that new-rule writes into, and the texts that every rule gets."""

import dataclasses
import pathlib
import re
import textwrap

VIOLATED = {"must": "fail", "implied": "fail", "should": "warn", "may": "info", "convention": "info"}


class Wrong(Exception):
    """What was asked for cannot be written; the message says why."""


@dataclasses.dataclass
class Tree:
    """The checkout, and what will be written into it."""

    root: pathlib.Path
    texts: dict = dataclasses.field(default_factory=dict)

    def read(self, path):
        if path in self.texts:
            return self.texts[path]
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise Wrong(f"{path} is missing: is {self.root} a checkout of dlspec?") from None

    def insert_after(self, path, pattern, text):
        """After the last place that the pattern matches."""
        whole = self.read(path)
        ends = [match.end() for match in re.finditer(pattern, whole, re.M | re.S)]
        if not ends:
            raise Wrong(f"{path} has no place for it: nothing there matches {pattern!r}")
        self.texts[path] = whole[: ends[-1]] + text + whole[ends[-1] :]

    def write(self):
        for path, text in self.texts.items():
            (self.root / path).write_text(text, encoding="utf-8")


@dataclasses.dataclass
class Rule:
    id: str
    kind: str  # struct, producer or consumer
    level: str
    implied_by: str
    title: str
    source: str
    requirement: str
    since: str
    stimulus: str

    @property
    def group(self):
        return self.id.split(".")[0]

    @property
    def name(self):
        return re.sub("[.-]", "_", self.id)

    @property
    def stem(self):
        return self.id.split(".")[1]


def c_string(text, indent):
    """A literal of C, in pieces that fit into the line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    pieces = textwrap.wrap(escaped, 118 - indent - 3, drop_whitespace=False, break_long_words=False) or [""]
    return ("\n" + " " * indent).join(f'"{piece}"' for piece in pieces)


def rule_row(rule):
    side = "producer" if rule.kind == "struct" else rule.kind
    check = "struct_bytes" if rule.kind == "struct" else "python" if rule.group in ("capsule", "python") else "dynamic"
    return f"""
DLSPEC_RULE({rule.name}, "{rule.id}",
            {c_string(rule.title, 12)}, {rule.level}, "{rule.implied_by}", {side},
            interval::any, "{rule.since}", "",
            {check}, checked, {VIOLATED[rule.level]},
            {c_string(rule.source, 12)},
            {c_string(rule.requirement, 12)},
            "")"""


def finding_row(rule):
    return f"""
DLSPEC_FINDING({rule.name}, 0, {VIOLATED[rule.level]}, "TODO: when it is violated",
               "TODO: what is observed", "TODO: what is allowed")"""


def page(rule):
    word = {"implied": f"MUST (implied by {rule.implied_by})", "convention": "convention"}.get(
        rule.level, rule.level.upper()
    )
    rows = [("level", word), ("source", rule.source), ("since", f"dlspec {rule.since}")]
    table = "".join(f"| {key} | {value} |\n" for key, value in rows)
    return f"# {rule.id}\n\n**{rule.title}.** {rule.requirement}\n\n| | |\n|---|---|\n{table}"
