#!/usr/bin/env python3
"""The stimuli that each rule wants, and where they are tried: plan/stimuli.def against the plan's tables.

stimuli.py [ROOT] [--rules GLOB]     prints rule, stimulus wanted, cases that try it or the reason why none does
stimuli.py [ROOT] --check            prints what is wrong with the table; exit status 1 when something is
"""

import argparse
import fnmatch
import pathlib
import re
import sys

ROLES = ("producer", "consumer", "bridge")
TEXT = r'((?:"[^"]*"\s*)+)'


def words(text):
    """The value of adjacent C string literals."""
    return "".join(re.findall(r'"([^"]*)"', text))


class Tables:
    """What stimuli.def is compared with."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.rules = self._rules()
        self.struct_rules = set(
            re.findall(r"^DLSPEC_FINDING\((\w+),", self.read("reference/vocabulary/finding.def"), re.M)
        )
        self.layout_rules = {
            name
            for rules in re.findall(r"(?:true|false), \((.*?)\)\)", self.read("conformance/plan/layouts.def"))
            for name in re.findall(r"\w+", rules)
        }
        self.variants = self._variants()
        self.levels, self.path_rules = self._paths()
        self.stimuli = self._stimuli()

    def read(self, place):
        return re.sub(r"^//.*$", "", (self.root / place).read_text(encoding="utf-8"), flags=re.M)

    def _rules(self):
        """C++ name -> (id, coverage)."""
        row = re.compile(r'DLSPEC_RULE\((\w+), "([^"]+)",.*?\w+, (checked|not_yet|never), \w+,', re.S)
        return {
            name: (identity, coverage)
            for name, identity, coverage in row.findall(self.read("reference/vocabulary/rules.def"))
        }

    def _decided(self, primary, extra, others):
        rules = {primary, *re.findall(r"\w+", others)}
        return rules | {"structs": self.struct_rules, "layout": self.layout_rules}.get(extra, set())

    def _variants(self):
        """(role, name) -> C++ names of the rules that it decides."""
        row = re.compile(
            r'DLSPEC_VARIANT\((\w+), "([^"]+)", \w+, \w+, \([^()]*\),\s*\([^()]*\),\s*(\w+),\s*(\w+),\s*\(([^()]*)\)\)'
        )
        found = {}
        for role, name, primary, extra, others in row.findall(self.read("conformance/plan/variants.def")):
            found.setdefault((role, name), set()).update(self._decided(primary, extra, others))
        return found

    def _paths(self):
        text = self.read("conformance/plan/paths.def")
        levels = {
            (role, f"{factor}={level}")
            for role, factor, level in re.findall(r'^DLSPEC_LEVEL\(\w+, (\w+), "([^"]+)", "([^"]+)"\)', text, re.M)
        }
        rules = {}
        for role, primary, extra, others in re.findall(
            r"^DLSPEC_PATH_RULES\(\w+, (\w+), (\w+), (\w+),\s*\(([^()]*)\)\)", text, re.M
        ):
            rules.setdefault(role, set()).update(self._decided(primary, extra, others))
        return levels, rules

    def _stimuli(self):
        """(C++ name of the rule, wanted, cases, reason), in the order of the table."""
        row = re.compile(rf"DLSPEC_STIMULUS\((\w+),\s*{TEXT},\s*{TEXT},\s*{TEXT}\)")
        text = self.read("conformance/plan/stimuli.def")
        found = [
            (rule, words(wanted), words(tried).split(), words(reason))
            for rule, wanted, tried, reason in row.findall(text)
        ]
        if len(found) != text.count("DLSPEC_STIMULUS("):
            raise ValueError("a row of stimuli.def is not understood")
        return found

    def decides(self, case):
        """C++ names of the rules that a case of the column `tried` decides; None when there is no such case."""
        role, _, name = case.partition(":")
        if name.startswith("path:"):
            level = name.partition(":")[2]
            return self.path_rules.get(role, set()) if (role, level) in self.levels else None
        return self.variants.get((role, name))


def complaints(tables):
    """A line for each thing that is wrong with the table."""
    for rule, wanted, tried, reason in tables.stimuli:
        if rule not in tables.rules:
            yield f"{rule}: no such rule"
            continue
        place = f"{tables.rules[rule][0]}, {wanted!r}"
        if bool(tried) == bool(reason):
            yield f"{place}: either cases that try it, or a reason why none does"
        for case in tried:
            decided = tables.decides(case)
            if decided is None:
                yield f"{place}: there is no {case}"
            elif rule not in decided:
                yield f"{place}: {case} does not decide the rule"
    named = {rule for rule, _, tried, _ in tables.stimuli if tried}
    for name, (identity, coverage) in tables.rules.items():
        if coverage == "checked" and name not in named:
            yield f"{identity} is checked, and no stimulus of it is tried"
    hostile = {f"{role}:{name}" for role, name in tables.variants if name.startswith("hostile=")}
    for case in sorted(hostile - {case for _, _, tried, _ in tables.stimuli for case in tried}):
        yield f"{case} tries nothing that the table wants"


def show(tables, pattern):
    for rule, wanted, tried, reason in tables.stimuli:
        identity = tables.rules[rule][0]
        if fnmatch.fnmatch(identity, pattern):
            print(f"{identity}: {wanted}\n    {' '.join(tried) or 'not tried: ' + reason}")
    print(f"{len(tables.stimuli)} stimuli, {sum(not tried for _, _, tried, _ in tables.stimuli)} of them not tried")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--rules", default="*")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    tables = Tables(given.root)
    if not given.check:
        show(tables, given.rules)
        return 0
    wrong = list(complaints(tables))
    print("\n".join(wrong) or f"{len(tables.stimuli)} stimuli of {len(tables.rules)} rules are as the plan says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
