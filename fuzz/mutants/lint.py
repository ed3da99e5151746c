"""What is wrong with the lists: a sentence for each fault."""

import re

import listing
import operators
from listing import GROUPS, read

KINDS = (
    "guard", "tile edge", "sign", "widening", "tail", "thread split", "loop order", "mask", "overlap",
    "barrier", "swizzle", "width", "stride", "index", "stream",
)  # fmt: skip
MIN_OF_REARRANGE = 20
MIN_OF_FUZZED, SHARE_OF_TWO_FIELDS = 40, 1 / 3


def rule_functions():
    for path in listing.sources():
        if path.startswith("reference/validate/"):
            for line in read(path):
                match = re.match(r"Answer (\w+)\(const \w+& \w+\) \{$", line)
                if match and "_" in match.group(1):
                    yield path, match.group(1)


def table_rows():
    """The rules that validate.cc asks, one row each."""
    for line in read("reference/validate/validate.cc"):
        match = re.match(r"\s+checks::(\w+),$", line)
        if match:
            yield match.group(1)


def of_mutants(mutants):
    """Every function of a rule, every row of validate.cc and every source has a mutant, every group enough of them."""
    mutated = {(mutant["file"], mutant["function"]) for mutant in mutants}
    faults = [f"{path}: no mutant in {name}" for path, name in rule_functions() if (path, name) not in mutated]
    left_out = {mutant["breaks"] for mutant in mutants}
    faults += [
        f"no mutant leaves out {name}" for name in table_rows() if f"row left out: checks::{name}" not in left_out
    ]
    for name, (_, least) in GROUPS.items():
        found = sum(listing.group_of(mutant["file"]) == name for mutant in mutants)
        if found < least:
            faults.append(f"{name}: only {found} mutants, at least {least} are wanted (GROUPS in listing.py)")
    with_mutants = {mutant["file"] for mutant in mutants}
    for path in listing.sources():
        lines = read(path) if path not in with_mutants else []
        if any(True for line in lines for _ in operators.mutations(line, path.endswith(".def"))):
            faults.append(f"{path}: no mutant")
    return faults


def of_survivors(survivors, unmatched):
    """Every entry fits a mutant and has a reason."""
    faults = [
        f"survivors.txt: no mutant of {each['file']} fits: in {each['in']}, {each['breaks']}: {each['code']}"
        for each in unmatched
    ]
    faults += [
        f"survivors.txt: no reason: {each['file']}, in {each['in']}, {each['breaks']}: {each['code']}"
        for each in survivors.values()
        if not each["because"].strip()
    ]
    return faults


def gone(mutants):
    """A sentence for each line that no longer stands in its file."""
    return [
        f"{mutant['file']}: the line is gone: {mutant['line']}"
        for mutant in mutants
        if listing.position(mutant) is None
    ]


def of_fuzzed(mutants):
    """Every line still stands in its file, and there are enough faults that need two fields."""
    faults = gone(mutants)
    if len(mutants) < MIN_OF_FUZZED:
        faults.append(f"fuzzed.txt: only {len(mutants)} faults, {MIN_OF_FUZZED} are wanted")
    if sum(mutant["fields"] > 1 for mutant in mutants) < SHARE_OF_TWO_FIELDS * len(mutants):
        faults.append("fuzzed.txt: too few faults need two fields that coincide")
    return faults


def of_rearrange(mutants):
    """Every line still stands in its file, and every kind of fault is there."""
    faults = gone(mutants)
    kinds = [mutant["breaks"].partition(": ")[0] for mutant in mutants]
    faults += [f'"{kind}" is no kind of fault' for kind in sorted(set(kinds).difference(KINDS))]
    faults += [f'no fault of the kind "{kind}"' for kind in KINDS if kind not in kinds]
    if len(mutants) < MIN_OF_REARRANGE:
        faults.append(f"only {len(mutants)} faults, {MIN_OF_REARRANGE} are wanted")
    return faults
