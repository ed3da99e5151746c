"""The mutants of the sources: made anew by every call, from the globs below. Nothing of this list is checked in."""

import fnmatch
import glob
import hashlib
import re

import operators
import places
from places import ROOT, read

# The files that are mutated, by the group that counts them: globs, and the least number of mutants. Headers and tables
# are named where they decide something. When files move, change the globs here.
GROUPS = {
    "reference": (
        (
            "reference/validate/*.cc", "reference/validate/subject.h",
            "reference/descriptor/*.cc", "reference/descriptor/wide.h", "reference/descriptor/extent.h",
            "reference/descriptor/enumerate.h", "reference/descriptor/overlap.h",
            "reference/rearrange/*.cc", "reference/rearrange/rearrange.h",
            "reference/vocabulary/*.cc", "reference/vocabulary/abi.h", "reference/vocabulary/device.h",
            "reference/vocabulary/dtype.h", "reference/vocabulary/flags.h", "reference/vocabulary/limits.h",
            "reference/vocabulary/device.def", "reference/vocabulary/dtype.def", "reference/vocabulary/finding.def",
            "reference/vocabulary/infini_dtype.def",
        ),
        1731,
    ),
    "optimized": (
        (
            "optimized/validate/*.cc", "optimized/validate/*.h",
            "optimized/descriptor/*.cc", "optimized/descriptor/extent.h", "optimized/descriptor/strided.h",
            "optimized/descriptor/wide.h", "optimized/infiniop/*.cc", "optimized/infiniop/operators.def",
        ),
        1500,
    ),
    "verdict": (
        (
            "conformance/verdict/*.cc",
            "conformance/judging/control_cases.cc",
            "conformance/core/record.cc",
            "conformance/core/shell.cc",
        ),
        212,
    ),
}  # fmt: skip
# Bounds, rows and version edges: all of them are listed; of other faults at most so many per line.
BOUND = re.compile(
    r"(<|<=|>|>=|\d+|0x\w+) becomes |row left out|the case is left out|the loop leaves|"
    r"released one|another (width|size)"
)
MAX_OTHERS_PER_LINE = 1
MAX_OTHERS_IN_VERDICTS = 3  # where a rule or a status is decided


def group_of(path):
    """The group that counts the mutants of a file, or None."""
    for name, (globs, _) in GROUPS.items():
        if any(fnmatch.fnmatch(path, each) for each in globs):
            return name
    return None


def sources():
    paths = [path for globs, _ in GROUPS.values() for each in globs for path in glob.glob(each, root_dir=ROOT)]
    return sorted(path for path in paths if not path.endswith("_test.cc"))


def chosen(path, mutations):
    """Every bound, and of the other faults of a line dropped conditions first."""
    is_verdict = "/validate/" in path or group_of(path) == "verdict"
    bounds = [mutation for mutation in mutations if BOUND.match(mutation[0])]
    others = [mutation for mutation in mutations if not BOUND.match(mutation[0])]
    others.sort(key=lambda mutation: not mutation[0].startswith("condition dropped"))
    return bounds + others[: MAX_OTHERS_IN_VERDICTS if is_verdict else MAX_OTHERS_PER_LINE]


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


def make(paths=None):
    """All mutants of these sources (default: all that tests must cover), in the order of files and lines. `nth`: the
    line's repetition in its file; `at`: its index."""
    made = []
    for path in paths or sources():
        lines = read(path)
        seen = {}
        for index, (line, name) in enumerate(zip(lines, functions(lines))):
            text = line.strip()
            nth = seen[text] = seen.get(text, -1) + 1
            for breaks, wrong in chosen(path, list(operators.mutations(line, path.endswith(".def")))):
                if breaks == "the case is left out" and decides_nothing(lines, index):
                    continue
                made.append(
                    {"file": path, "function": name, "line": text, "nth": nth, "breaks": breaks, "wrong": wrong.strip(),
                     "at": index}
                )  # fmt: skip
    return made


def draw(mutant, seed):
    """A number from what the mutant changes, not from its place in the list: other mutants do not change the sample."""
    told = [str(seed), mutant["file"], mutant["function"], mutant["line"], mutant["wrong"] or ""]
    return hashlib.sha256("\0".join(told).encode()).hexdigest()


def key(mutant):
    """What a stored result belongs to, together with the text of the file."""
    return mutant["file"], mutant["line"], mutant["nth"], mutant["wrong"]


def position(mutant):
    """The place of the mutant's line: (first line, column, last line, column behind it); None when it is gone."""
    if "at" in mutant:
        line = read(mutant["file"])[mutant["at"]]
        return mutant["at"], len(line) - len(line.lstrip()), mutant["at"], len(line)
    found = places.find(mutant["file"], mutant["line"])
    return found[mutant["nth"]] if mutant["nth"] < len(found) else None


def applied(mutant):
    """The whole file with the fault in it, and the number of the line."""
    lines = list(read(mutant["file"]))
    place = position(mutant)
    if place is None:
        raise LookupError(f"{mutant['file']}: the line is gone: {mutant['line']}")
    first, column, last, end = place
    lines[first : last + 1] = [lines[first][:column] + mutant["wrong"] + lines[last][end:]]
    return "\n".join(lines), first + 1
