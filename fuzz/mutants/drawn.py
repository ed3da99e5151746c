"""Faults of optimized/ that nobody chose, for fuzz/reach: drawn from all that operators.py makes of the sources."""

import glob

import listing

# Sources, and the target that compares what they do.
TARGETS = (
    ("optimized/validate/*.cc", "validate"),
    ("optimized/descriptor/constraint_*.cc", "constraint"),
    ("optimized/descriptor/contiguity.cc", "extent"),
    ("optimized/descriptor/extent.cc", "extent"),
    ("optimized/descriptor/overlap.cc", "extent"),
    ("optimized/descriptor/strided.cc", "views"),
    ("optimized/descriptor/views.cc", "views"),
)


def faults(seed):
    """All of them, in the order in which this seed draws them."""
    made = []
    for pattern, target in TARGETS:
        paths = sorted(path for path in glob.glob(pattern, root_dir=listing.ROOT) if not path.endswith("_test.cc"))
        made += [mutant | {"target": target} for mutant in listing.make(paths)]
    return sorted(made, key=lambda mutant: listing.draw(mutant, seed))


def table(measured, results, seeds):
    """In Markdown: what the faults are, and by how many seeds each was found. `measured`: faults that compile."""
    lines, always, never = [], 0, 0
    for fault in measured:
        runs = [run for run in (results.get(fault, "fields", seed) for seed in range(1, seeds + 1)) if run]
        found = [run for run in runs if run["found"]]
        always += len(found) == len(runs)
        never += not found
        worst = f", {max(run['cpu'] for run in found):.1f} s at worst" if found else ""
        line = listing.position(fault)[0] + 1
        lines.append(
            f"| {fault['target']} | {fault['file']}:{line} | `{fault['line']}` | {fault['breaks']} | "
            f"{len(found)} of {len(runs)}{worst} |"
        )
    return (
        f"{len(measured)} faults drawn by chance: {always} found by every seed, {never} by none.\n\n"
        "| target | place | line | fault | found |\n|---|---|---|---|---|\n" + "\n".join(lines) + "\n"
    )
