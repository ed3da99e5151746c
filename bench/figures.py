"""Tables, plots and comparisons of the results of `bench_rearrange --json`.

    python3 bench/figures.py table RESULT.json         Markdown: each case, the engine, the best peer, limit and goal
    python3 bench/figures.py both ONE.json TWO.json    the same for a run with one thread beside one with several
    python3 bench/figures.py plot RESULT.json FOLDER   an SVG for each class of cases
    python3 bench/figures.py compare OLD.json NEW.json what became faster or slower beyond noise; exit 1 if slower

Figures are rates relative to memcpy of the same bytes in the same round.
"""

import html
import json
import math
import os
import sys

SCHEMA = "dlspec-rearrange/1"
LEAST_CHANGE = 0.03  # of the ratio; smaller changes are not reported even if they exceed the noise


class Unusable(Exception):
    """What is wrong with a file, and what to do."""


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError) as error:
        raise Unusable(f"{path} cannot be read: {error}; give a file that bench_rearrange --json wrote") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA or "engine" not in document:
        raise Unusable(f"{path} is no result of bench_rearrange ({SCHEMA})")
    return document


def best_peer(case):
    """(name, ratio) of the fastest other library, or None if no peer supports the case."""
    peers = [(case["ratios"][name], name) for name in case["peers"]]
    return (max(peers)[1], max(peers)[0]) if peers else None


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else None


def goal_of(case):
    return f"{case['goal']:.2f}" if case["goal"] is not None else ""


def table(document):
    engine = document["engine"]
    lines = [
        f"Rates relative to memcpy, {document['threads']} thread(s). Peers: {document['peers']}.",
        "",
        f"| class | case | {engine} | best peer | ratio | limit | goal |",
        "|---|---|---:|---|---:|---:|---:|",
    ]
    for case in document["cases"]:
        ours, peer = case["ratios"][engine], best_peer(case)
        peer_text, ratio = (f"{peer[0]} {peer[1]:.2f}", f"{ours / peer[1]:.2f}") if peer else ("none", "")
        row = case["class"], case["name"], f"{ours:.2f}", peer_text, ratio, f"{case['limit']:.2f}", goal_of(case)
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines + [""] + summary(document)) + "\n"


def summary(document):
    engine, cases = document["engine"], document["cases"]
    against = [case["ratios"][engine] / best_peer(case)[1] for case in cases if best_peer(case)]
    core = geometric_mean([case["ratios"][engine] for case in cases if case["core"]])
    lines = [f"- geometric mean of the {sum(case['core'] for case in cases)} core cases: {core:.2f}"] if core else []
    if against:
        lines.append(
            f"- {sum(ratio >= 1.10 for ratio in against)} of {len(against)} cases with a peer are at least 1.10 times "
            f"the best one, {sum(ratio < 0.95 for ratio in against)} below 0.95; the least is {min(against):.2f}"
        )
    return lines


def cells(case, engine):
    """Cells of a row of `both`: ours (bold if below its goal), the best peer, the limit and the goal."""
    if case is None:
        return " |  |  | "
    ours, peer = case["ratios"][engine], best_peer(case)
    text = f"**{ours:.2f}**" if case["goal"] and round(ours, 2) < case["goal"] else f"{ours:.2f}"
    return f"{text} | {f'{peer[1]:.2f} {peer[0]}' if peer else ''} | {case['limit']:.2f} | {goal_of(case)}"


def both(one, several):
    others = {case["name"]: case for case in several["cases"]}
    lines = [
        f"| case | 1 thread | best peer | limit | goal | {several['threads']} threads | best peer | limit | goal |",
        "|---|---:|---|---:|---:|---:|---|---:|---:|",
    ]
    for case in one["cases"]:
        name = case["name"] + (" *" if case["core"] else "")
        lines.append(
            f"| {name} | {cells(case, one['engine'])} | {cells(others.get(case['name']), several['engine'])} |"
        )
    for document in (one, several):
        lines += ["", f"{document['threads']} thread(s):", ""] + summary(document)
    return "\n".join(lines) + "\n"


# --- plots: hand-written SVG, which needs no library

BAR, GAP, LEFT, SCALE = 14, 10, 190, 320
COLOURS = {"ours": "#1668a8", "peer": "#b8601a", "limit": "#8a8a8a"}


def bar(top, value, largest, colour, label):
    width = max(1.0, value / largest * SCALE)
    return (
        f'<rect x="{LEFT}" y="{top}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>'
        f'<text x="{LEFT + width + 4:.1f}" y="{top + BAR - 3}">{html.escape(label)}</text>'
    )


def plot(document, group):
    """One SVG: for each case of the class the limit, the engine and the best peer."""
    engine = document["engine"]
    cases = [case for case in document["cases"] if case["class"] == group]
    largest = max(max(case["limit"], case["ratios"][engine], (best_peer(case) or ("", 0))[1]) for case in cases)
    top, parts = 30, []
    for case in cases:
        parts.append(f'<text x="{LEFT - 8}" y="{top + BAR}" text-anchor="end">{html.escape(case["name"])}</text>')
        rows = [
            ("limit", case["limit"], f"limit {case['limit']:.2f}"),
            ("ours", case["ratios"][engine], f"{engine} {case['ratios'][engine]:.2f}"),
        ]
        peer = best_peer(case)
        if peer:
            rows.append(("peer", peer[1], f"{peer[0]} {peer[1]:.2f}"))
        for kind, value, label in rows:
            parts.append(bar(top, value, largest, COLOURS[kind], label))
            top += BAR + 2
        top += GAP
    title = f"{group}: rates relative to memcpy, {document['threads']} thread(s)"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + SCALE + 130}" height="{top}" '
        f'font-family="sans-serif" font-size="12">'
        f'<title>{html.escape(title)}</title><rect width="100%" height="100%" fill="white"/>'
        f'<text x="8" y="18" font-weight="bold">{html.escape(title)}</text>{"".join(parts)}</svg>\n'
    )


def write_plots(document, folder):
    os.makedirs(folder, exist_ok=True)
    for group in dict.fromkeys(case["class"] for case in document["cases"]):
        with open(os.path.join(folder, f"{group}.svg"), "w", encoding="utf-8") as file:
            file.write(plot(document, group))


# --- comparison


def change(old, new, engine):
    """The factor by which one case changed, or None if the quartiles of the two runs overlap."""
    before, after = old["ratios"][engine], new["ratios"][engine]
    low, high = old["quartiles"][engine], new["quartiles"][engine]
    apart = low[1] < high[0] or high[1] < low[0]
    return after / before if apart and abs(after / before - 1) > LEAST_CHANGE else None


def compare(old, new):
    """Report lines, and whether any case became slower."""
    engine = new["engine"]
    if (old["engine"], old["threads"]) != (engine, new["threads"]):
        raise Unusable(
            f"the runs differ: {old['engine']} with {old['threads']} thread(s), {engine} with {new['threads']}"
        )
    before = {case["name"]: case for case in old["cases"]}
    lines, slower, same = [], False, 0
    for case in new["cases"]:
        if case["name"] not in before:
            lines.append(f"new     {case['name']}")
            continue
        factor = change(before[case["name"]], case, engine)
        if factor is None:
            same += 1
            continue
        slower = slower or factor < 1
        lines.append(
            f"{'faster' if factor > 1 else 'slower'}  {case['name']}  {before[case['name']]['ratios'][engine]:.3f} -> "
            f"{case['ratios'][engine]:.3f}  ({factor:.2f} times)"
        )
    gone = set(before) - {case["name"] for case in new["cases"]}
    lines += [f"gone    {name}" for name in sorted(gone)]
    return lines + [f"{same} of {len(new['cases'])} cases cannot be told from noise"], slower


def main(arguments):
    try:
        if len(arguments) == 2 and arguments[0] == "table":
            print(table(read(arguments[1])), end="")
        elif len(arguments) == 3 and arguments[0] == "both":
            print(both(read(arguments[1]), read(arguments[2])), end="")
        elif len(arguments) == 3 and arguments[0] == "plot":
            write_plots(read(arguments[1]), arguments[2])
        elif len(arguments) == 3 and arguments[0] == "compare":
            lines, slower = compare(read(arguments[1]), read(arguments[2]))
            print("\n".join(lines))
            return 1 if slower else 0
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except (Unusable, OSError) as error:
        print(f"figures.py: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
