"""The pages of the docs site, made of the project's own pages: their links lead to each other, or to the repository.

assemble.py FOLDER [--night STATE]     writes them; STATE is build/nightly/state.json

A page of a rule is given its number and what was found of it. Exit status 1: a link leads nowhere.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
REPOSITORY = "https://github.com/dlspec/dlspec/blob/main/"
# Pages with other names on the site. The pages of conformance/docs and of evidence/pages keep theirs.
RENAMED = {
    "README.md": "index.md",
    ".github/CONTRIBUTING.md": "contributing.md",
    ".github/SECURITY.md": "security.md",
    "bench/README.md": "bench.md",
    "bench/results.md": "bench-results.md",
    "conformance/README.md": "house.md",
    "conformance/evidence/fleet/README.md": "fleet-table.md",
    "conformance/evidence/history/README.md": "history.md",
    "conformance/evidence/pages/rules/README.md": "rules/index.md",
    "conformance/selfcheck/conditional/README.md": "conditional.md",
    "conformance/selfcheck/zoo/README.md": "zoo.md",
    "fuzz/README.md": "fuzz.md",
    "fuzz/mutants/README.md": "mutants.md",
    "optimized/README.md": "optimized.md",
    "optimized/cuda/README.md": "cuda.md",
    "reference/README.md": "reference.md",
}
KEPT = {"conformance/docs": "", "conformance/evidence/pages": "", "conformance/evidence/pages/rules": "rules/"}
LINK = re.compile(r"(\]\()([^)\s#]*)((?:#[^)\s]*)?)(\))")
FENCE = re.compile(r"^(```|~~~)", re.MULTILINE)


def pages():
    """{path in the repository: path on the site}"""
    found = dict(RENAMED)
    for folder, place in KEPT.items():
        for path in sorted((ROOT / folder).glob("*.md")):
            found.setdefault(path.relative_to(ROOT).as_posix(), place + path.name)
    return found


def pictures():
    """{path in the repository: path on the site}, of the pictures that pages show."""
    found = {}
    for folder, place in KEPT.items():
        for path in sorted((ROOT / folder).rglob("*.svg")):
            name = path.relative_to(ROOT / folder).as_posix()
            found.setdefault(path.relative_to(ROOT).as_posix(), place + name)
    return found


class Links:
    def __init__(self, known):
        self.known, self.broken = known, []

    def target(self, source, name):
        """Where a link of `source` to `name` leads on the site."""
        if re.match(r"[a-z]+:", name) or not name:
            return name
        path = os.path.normpath(os.path.join(os.path.dirname(source), name))
        if path in self.known:
            return os.path.relpath(self.known[path], os.path.dirname(self.known[source]) or ".")
        if path.startswith("..") or not (ROOT / path).exists():
            self.broken.append(f"{source}: {name} is not there")
        return REPOSITORY + path

    def rewrite(self, source, text):
        """The text with its links led on; blocks of code stay as they are."""
        parts, fenced = [], None
        for line in text.split("\n"):
            mark = FENCE.match(line)
            if mark and fenced in (None, mark[1]):
                fenced = None if fenced else mark[1]
            elif not fenced:
                line = LINK.sub(lambda found: found[1] + self.target(source, found[2]) + found[3] + found[4], line)
            parts.append(line)
        return "\n".join(parts)


# --- what the site adds


def rule_numbers():
    """{rule: its number}: their order in the list of ids, which never changes."""
    ids = (ROOT / "reference/vocabulary/ids.txt").read_text(encoding="utf-8")
    return {rule: number for number, rule in enumerate(re.findall(r"^rule (\S+)", ids, re.MULTILINE), 1)}


def read_findings():
    """{rule: its findings}"""
    found = {}
    for each in json.loads((ROOT / "conformance/evidence/history/faults.json").read_text(encoding="utf-8")):
        found.setdefault(each["rule"], []).append(each)
    return found


def rule_page(text, rule, numbers, findings):
    title, _, rest = text.partition("\n")
    lines = [title, "", f"Rule {numbers[rule]} of {len(numbers)}.", rest]
    if findings:
        lines += ["## Findings", ""]
        for each in findings:
            release = f"{each['package']} {each['version']}"
            lines.append(f"- [{release}](../findings.md#{each['id']}), {each['role']}, {each['status']}")
        lines.append("")
    return "\n".join(lines)


def night_page(state):
    """What the last night did, part by part."""
    lines = ["# The last night", "", "What `fuzz/nightly` tried last, and what came out.", ""]
    if not state:
        return "\n".join([*lines, "No night has been recorded with this site.", ""])
    lines += [f"Commit `{state['commit']}`.", "", "| part | units done | minutes | came out |", "|---|---:|---:|---|"]
    for name, part in state["parts"].items():
        facts = "; ".join(f"{what}: {value}" for what, value in part["facts"].items())
        came = "FAILED: " + " ".join(part["failure"].split())[:300] if part["failure"] else facts
        came = came.replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| {name} | {part['done']} | {part['seconds'] / 60:.1f} | {came} |")
    return "\n".join([*lines, ""])


def assemble(folder, state):
    """Writes the pages; the links that lead nowhere."""
    shutil.rmtree(folder, ignore_errors=True)
    texts, shown = pages(), pictures()
    links, numbers, findings = Links({**texts, **shown}), rule_numbers(), read_findings()
    for source, place in shown.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / source, folder / place)
    for source, place in texts.items():
        text = links.rewrite(source, (ROOT / source).read_text(encoding="utf-8"))
        rule = pathlib.Path(place).stem if place.startswith("rules/") else ""
        if rule in numbers:
            text = rule_page(text, rule, numbers, findings.get(rule, []))
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    (folder / "night.md").write_text(night_page(state), encoding="utf-8")
    shutil.copy(pathlib.Path(__file__).with_name("site.css"), folder / "site.css")
    return links.broken


def main():
    parser = argparse.ArgumentParser(description="Assembles the pages of the docs site.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--night", type=pathlib.Path)
    options = parser.parse_args()
    state = None
    if options.night and options.night.exists():
        state = json.loads(options.night.read_text(encoding="utf-8"))
    broken = assemble(options.folder, state)
    print("\n".join(broken), end="\n" if broken else "")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
