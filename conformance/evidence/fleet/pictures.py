"""The pictures of the fleet's page: a badge, findings by release, and who exchanges with whom. SVG, light and dark."""

import html

STYLE = """<style>
svg { --page: #fff; --ink: #1b1b1f; --faint: #5b5e66; --fail: #b3261e; --warn: #8f5d00; --good: #1e7b34;
  --copy: #a9d6b3; --none: #d4d6dc; font: 12px Verdana, DejaVu Sans, sans-serif; }
@media (prefers-color-scheme: dark) { svg { --page: #16171a; --ink: #e6e7ea; --faint: #a3a6ae; --fail: #c4433b;
  --warn: #946500; --good: #287a3f; --copy: #2c5a3b; --none: #3a3d44; } }
text { fill: var(--ink); } .faint { fill: var(--faint); } .page { fill: var(--page); } .fail { fill: var(--fail); }
.warn { fill: var(--warn); } .good { fill: var(--good); } .copy { fill: var(--copy); } .none { fill: var(--none); }
.on { fill: #fff; font-weight: 700; text-anchor: middle; } .copy + .on, .none + .on { fill: var(--ink); }
</style>"""
# The states of a pair, the worst first: the sign in the cell, its colour, what it means.
STATES = {
    "fails": ("!", "fail", "a wrong value, a lost dtype, a crash or a hang"),
    "warns": ("w", "warn", "exchanged, with a warning"),
    "shared": ("=", "good", "exchanged in shared memory"),
    "copied": ("+", "copy", "exchanged, as a copy at least once"),
    "refused": ("-", "none", "nothing was exchanged"),
}
VIOLATED = ("fail", "crash", "timeout")


def svg(width, height, title, body):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    ground = f'<rect class="page" width="{width}" height="{height}"/>'
    return f'{head} role="img">\n<title>{html.escape(title)}</title>\n{STYLE}\n{ground}\n{body}\n</svg>\n'


def text(x, y, words, kind=""):
    return f'<text x="{x}" y="{y}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{html.escape(words)}</text>'


def rect(x, y, width, height, kind):
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}"/>'


def verdict(fails, warns):
    """What a badge says, and its colour."""
    if fails:
        return f"{fails} fail" + (f", {warns} warn" if warns else ""), "fail"
    return (f"conforms, {warns} warn", "warn") if warns else ("conforms", "good")


def badge(fails, warns):
    """The rules that the pinned release violates."""
    words, kind = verdict(fails, warns)
    width = 8 * len(words) + 16
    body = rect(0, 0, width, 22, kind) + f'\n<text class="on" x="{width // 2}" y="15">{words}</text>'
    return svg(width, 22, words, body)


def releases_text(releases):
    """ "1.0: 2 fail, 3 warn; 1.1: 1 warn"."""
    told = (f"{name}: {verdict(fails, warns)[0]}" for name, fails, warns in releases)
    return "; ".join(told)


def releases(found):
    """A bar for each release, the oldest first: failures at the bottom, warnings on them."""
    bar, gap, unit, label = 26, 8, 3, 16
    highest = max([fails + warns for _, fails, warns in found] + [4]) * unit
    width = len(found) * (bar + gap) + gap
    body = []
    for number, (_, fails, warns) in enumerate(found):
        x = gap + number * (bar + gap)
        top = label + highest - (fails + warns) * unit
        body.append(rect(x, top, bar, warns * unit, "warn"))
        body.append(rect(x, label + highest - fails * unit, bar, fails * unit, "fail"))
        body.append(rect(x, label + highest, bar, 1, "faint"))
        body.append(f'<text class="faint" x="{x + bar // 2}" y="{top - 3}" text-anchor="middle">{fails + warns}</text>')
    return svg(width, label + highest + 3, releases_text(found), "\n".join(body))


def state_of(records):
    """The state of a pair, from its records."""
    statuses = {record["status"] for record in records}
    if statuses & set(VIOLATED):
        return "fails"
    if "warn" in statuses:
        return "warns"
    memory = {record["came"]["memory"] for record in records if record.get("came")}
    if not statuses & {"pass", "info"} or not memory:
        return "refused"
    return "shared" if "shared" in memory and "copied" not in memory else "copied"


def matrix(names, states):
    """Rows export, columns import. `states`: {(row, column): state}."""
    cell, left, top = 34, 8 * max(map(len, names)) + 16, 6 * max(map(len, names)) + 40
    width, height = left + cell * len(names) + 96, top + cell * len(names)
    body = [text(8, top - 10, "from \u2193  to \u2192", "faint")]
    for number, name in enumerate(names):
        x, y = left + cell * number, top + cell * number
        body.append(f'<text transform="translate({x + 14} {top - 8}) rotate(-45)">{html.escape(name)}</text>')
        body.append(text(8, y + 22, name))
    for (row, column), state in states.items():
        sign, kind, meaning = STATES[state]
        x, y = left + cell * names.index(column), top + cell * names.index(row)
        title = f"<title>{html.escape(f'{row} to {column}: {meaning}')}</title>"
        body.append(f"<g>{title}{rect(x + 1, y + 1, cell - 2, cell - 2, kind)}")
        body.append(f'<text class="on" x="{x + cell // 2}" y="{y + 22}">{sign}</text></g>')
    for number, (sign, kind, meaning) in enumerate(STATES.values()):
        y = height + 12 + 26 * number
        body.append(rect(8, y, 22, 22, kind) + f'<text class="on" x="19" y="{y + 16}">{sign}</text>')
        body.append(text(38, y + 16, meaning))
    return svg(max(width, 380), height + 12 + 26 * len(STATES), "Who exchanges arrays with whom", "\n".join(body))
