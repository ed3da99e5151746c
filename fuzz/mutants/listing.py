"""The list of mutants: made from the sources, kept in mutants.txt, tied to the sources by a lint."""

import functools
import glob
import os
import re

import operators

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIST = os.path.join(HERE, "mutants.txt")
REARRANGE = os.path.join(HERE, "rearrange.txt")  # chosen by hand
KINDS = ("guard", "tile edge", "sign", "widening", "tail", "thread split", "loop order", "mask", "overlap")
LEAST_OF_REARRANGE = 20
REGENERATE = "python3 fuzz/mutants/mutants.py list"

# Whose faults are listed. Headers and tables only where they decide something.
SOURCES = (
    "reference/validate/*.cc", "reference/validate/subject.h",
    "reference/descriptor/*.cc", "reference/descriptor/wide.h", "reference/descriptor/extent.h",
    "reference/descriptor/enumerate.h", "reference/descriptor/overlap.h",
    "reference/rearrange/*.cc", "reference/rearrange/rearrange.h",
    "reference/vocabulary/*.cc", "reference/vocabulary/abi.h", "reference/vocabulary/device.h",
    "reference/vocabulary/dtype.h", "reference/vocabulary/flags.h", "reference/vocabulary/device.def",
    "reference/vocabulary/dtype.def", "reference/vocabulary/finding.def",
    "conformance/verdict/*.cc",
    "conformance/judging/known.cc",
)  # fmt: skip
# Limits, rows and version edges: all of them are listed; of other faults at most so many per line.
BOUND = re.compile(
    r"(<|<=|>|>=|\d+|0x\w+) becomes |row left out|the case is left out|released one|another width|the loop leaves"
)
MOST_OTHERS_PER_LINE = 1
MOST_OTHERS_IN_VERDICTS = 3  # where a rule or a status is decided


@functools.lru_cache(None)
def read(path):
    """The lines of a file, not to be changed."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read().split("\n")


def sources():
    paths = [path for pattern in SOURCES for path in glob.glob(pattern, root_dir=ROOT)]
    return sorted(path for path in paths if not path.endswith("_test.cc"))


def chosen(path, mutations):
    """Every bound, and of the other faults of a line dropped conditions before all else."""
    most = MOST_OTHERS_IN_VERDICTS if "/validate/" in path or "/verdict/" in path else MOST_OTHERS_PER_LINE
    bounds = [mutation for mutation in mutations if BOUND.match(mutation[0])]
    others = [mutation for mutation in mutations if not BOUND.match(mutation[0])]
    others.sort(key=lambda mutation: not mutation[0].startswith("condition dropped"))
    return bounds + others[:most]


FUNCTION = re.compile(
    r"^ {0,2}(?:[\w:<>,&*\[\]~]+ )*?[*&]?(?:\w+::)*(operator\S+|~?\w+)\(.*(\{|\{ return .*\}|,|:|\))( try \{)?$"
)


def functions(lines):
    """The name of the function (or table) that each line belongs to."""
    name, found = "", []
    for line in lines:
        match = FUNCTION.match(line)
        table = re.match(r"^constexpr .*?(\w+)\)?\[\]", line)
        if table:
            name = table.group(1)
        elif match and match.group(1) not in ("if", "for", "while", "switch", "return"):
            name = match.group(1)
        found.append(name)
    return found


def decides_nothing(lines, index):
    """A case that shares a bare `break` with its neighbours: leaving it out changes nothing."""
    rest = (line for line in lines[index:] if not re.fullmatch(r"\s+case [\w:]+:", line))
    return re.match(r"\s+case [\w:]+: break;", next(rest, "")) is not None


def make():
    """All mutants, in the order of files and lines."""
    made = []
    for path in sources():
        lines = read(path)
        names = functions(lines)
        seen = {}
        for index, (line, name) in enumerate(zip(lines, names)):
            text = line.strip()
            nth = seen[text] = seen.get(text, -1) + 1
            for breaks, wrong in chosen(path, list(operators.mutations(line, path.endswith(".def")))):
                if breaks == "the case is left out" and decides_nothing(lines, index):
                    continue
                made.append(
                    {"file": path, "function": name, "line": text, "nth": nth, "breaks": breaks, "wrong": wrong.strip()}
                )
    return made


def key(mutant):
    return mutant["file"], mutant["line"], mutant["nth"], mutant["wrong"]


# The file: `file` and `in` hold for what follows, each `line` (its `nth` repetition in the file) for the
# pairs of `breaks` and `wrong` below it. `needs` is said of a file: which processors run this code at all.
def load(path=LIST):
    mutants, state = [], {}
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            word, _, rest = text.strip().partition(" ")
            if word in ("", "#"):
                continue
            if word in ("file", "in", "line", "nth", "breaks", "needs"):
                if word == "line":
                    state.pop("nth", None)
                if word == "file":
                    state.pop("needs", None)
                state[word] = rest
            elif word == "wrong":
                mutant = {"file": state["file"], "function": state["in"], "line": state["line"], "wrong": rest}
                mutants.append(mutant | {"breaks": state["breaks"], "nth": int(state.get("nth", 0))})
                if "needs" in state:
                    mutants[-1]["needs"] = state["needs"]
            elif word == "survives":
                mutants[-1]["survives"] = rest
            else:
                raise ValueError(f'{path}:{number}: "{word}" is not a word of this file')
    return mutants


def save(mutants, path=LIST):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# Faults seeded into the sources, one at a time. Made by `{REGENERATE}`;\n")
        file.write("# only the lines `survives` are written by hand.\n")
        last = {}
        for mutant in mutants:
            if mutant["file"] != last.get("file"):
                file.write(f"\nfile {mutant['file']}\n")
            if mutant["function"] != last.get("function") or mutant["file"] != last.get("file"):
                file.write(f"in {mutant['function']}\n")
            if (mutant["line"], mutant["nth"]) != (last.get("line"), last.get("nth")):
                file.write(f"  line {mutant['line']}\n" + (f"  nth {mutant['nth']}\n" if mutant["nth"] else ""))
            file.write(f"    breaks {mutant['breaks']}\n    wrong {mutant['wrong']}".rstrip() + "\n")
            if "survives" in mutant:
                file.write(f"    survives {mutant['survives']}\n")
            last = mutant


def regenerate():
    """The list anew, with the reasons that stand in the old one."""
    reasons = {}
    if os.path.exists(LIST):
        reasons = {key(mutant): mutant["survives"] for mutant in load() if "survives" in mutant}
    mutants = make()
    for mutant in mutants:
        if key(mutant) in reasons:
            mutant["survives"] = reasons.pop(key(mutant))
    save(mutants)
    return mutants, list(reasons.values())


def position(mutant, lines):
    """The index of the mutant's line; None when it is gone."""
    found = [i for i, line in enumerate(lines) if line.strip() == mutant["line"]]
    return found[mutant["nth"]] if mutant["nth"] < len(found) else None


def applied(mutant):
    """The whole file with the fault in it."""
    lines = list(read(mutant["file"]))
    index = position(mutant, lines)
    if index is None:
        raise LookupError(f"{mutant['file']}: the line is gone: {mutant['line']}")
    indent = lines[index][: len(lines[index]) - len(lines[index].lstrip())]
    lines[index] = indent + mutant["wrong"]
    return "\n".join(lines), index + 1


def rule_functions():
    for path in sources():
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


def lint_lines(mutants):
    """What no longer fits the sources, a sentence each."""
    faults = []
    texts = {
        path: read(path) for path in {mutant["file"] for mutant in mutants} if os.path.exists(os.path.join(ROOT, path))
    }
    for mutant in mutants:
        if mutant["file"] not in texts or position(mutant, texts[mutant["file"]]) is None:
            faults.append(f"{mutant['file']}: the line is gone: {mutant['line']}")
        if "survives" in mutant and not mutant["survives"].strip():
            faults.append(f"{mutant['file']}: a survivor without a reason: {mutant['wrong']}")
    return faults


def lint_rearrange(mutants):
    """What is wrong with the list that is chosen by hand."""
    faults = lint_lines(mutants)
    kinds = [mutant["breaks"].partition(": ")[0] for mutant in mutants]
    faults += [f'"{kind}" is no kind of fault' for kind in sorted(set(kinds).difference(KINDS))]
    faults += [f'no fault of the kind "{kind}"' for kind in KINDS if kind not in kinds]
    faults += [
        f"{mutant['file']}: every one must be killed: {mutant['wrong']}" for mutant in mutants if "survives" in mutant
    ]
    if len(mutants) < LEAST_OF_REARRANGE:
        faults.append(f"only {len(mutants)} faults, {LEAST_OF_REARRANGE} are wanted")
    return faults


def lint(mutants):
    """What is wrong with the list, a sentence each."""
    faults = lint_lines(mutants)
    texts = {mutant["file"] for mutant in mutants}
    mutated = {(mutant["file"], mutant["function"]) for mutant in mutants}
    faults += [f"{path}: no mutant in {name}" for path, name in rule_functions() if (path, name) not in mutated]
    skipped = {mutant["breaks"] for mutant in mutants}
    faults += [
        f"no mutant leaves out {name}" for name in table_rows() if f"row left out: checks::{name}" not in skipped
    ]
    verdicts = sum(mutant["file"].startswith("conformance/") for mutant in mutants)
    if verdicts < 30:
        faults.append(f"only {verdicts} mutants in the verdict code, 30 are wanted")
    for path in sources():
        if path not in texts and any(
            True for line in read(path) for _ in operators.mutations(line, path.endswith(".def"))
        ):
            faults.append(f"{path}: no mutant")
    return faults
