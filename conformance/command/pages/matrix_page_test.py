"""The page of a matrix in a real browser: every cell shows what the document says, in light and dark, without scripts.

Usage: matrix_page_test.py BUILD_DIR. Ends with 77 when there is no Chromium.
"""

import collections
import os
import pathlib
import re
import sys
import tempfile

import browser

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import matrix_test  # noqa: E402 -- found by the line above

SUBJECTS = ["./honest.py", "./blind.py", "./loner.py", "./other_loner.py", "./refuses.py"]
REFUSES = '''"""Takes nothing."""

from honest import make, contents, version


def from_dlpack(source, **kwargs):
    raise BufferError("not <b>this</b> one")
'''

# What a reader sees.
LOOK = """(() => {
const seen = {cells: {}, open: [], dark: matchMedia('(prefers-color-scheme: dark)').matches,
  wide: document.documentElement.scrollWidth};
const rgb = text => text.match(/[\\d.]+/g).map(Number);
const light = c => { const l = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2]; };
const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
  if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
const contrast = e => { const a = light(rgb(getComputedStyle(e).color)), b = light(ground(e));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
for (const a of document.querySelectorAll('a.cell')) {
  a.focus();
  const box = a.getBoundingClientRect();
  seen.cells[a.id] = {text: a.innerText.replace(/\\s+/g, ' '), href: a.getAttribute('href'),
    width: box.width, height: box.height,
    contrast: Math.min(...[a, ...a.querySelectorAll('small')].map(contrast)), focused: document.activeElement === a,
    target: !!document.querySelector(a.getAttribute('href'))};
}
for (const s of document.querySelectorAll('section.pair')) if (s.getBoundingClientRect().height > 0)
  seen.open.push({id: s.id, text: s.innerText, rows: s.querySelectorAll('tbody tr').length});
return seen;
})()"""

WEIGHT = ["blocked", "unsupported", "pass", "info", "warn", "fail", "timeout", "crash"]


def expected_text(records):
    """What the cell of a pair has to say, from its records alone."""
    worst = collections.defaultdict(list)
    for record in records:
        worst[record["case"]].append(WEIGHT.index(record["status"]))
    cases = [WEIGHT[max(each)] for each in worst.values()]
    violated = sum(case in matrix_test.FAILING for case in cases)
    good = sum(case in ("pass", "info", "warn") for case in cases)
    if violated:
        return f"! fails {violated} of {len(cases)}"
    if good:
        memory = {record["came"]["memory"] for record in records if "came" in record}
        shared = "shared" in memory and "copied" not in memory
        return f"{'= shared' if shared else '+ copied'} {good} of {len(cases)}"
    return "- refused" if "unsupported" in cases else "x apart"


def expected_why(records):
    """What the cell says of a pair that is no clean exchange."""
    failing = {record["rule"] for record in records if record["status"] in matrix_test.FAILING}
    if failing:
        return next(iter(failing)) if len(failing) == 1 else " more rule"
    if any(record["status"] in ("pass", "info", "warn") for record in records):
        return ""
    return next(record["observed"] for record in records if record["observed"])[:20]


def browse(chromium, path, dark, place=""):
    """What the reader sees of the page at this place."""
    with chromium.page(f"{path}{place}", 1200, 900, dark) as page:
        return page.evaluate(LOOK)


def check_cells(seen, document):
    names = [subject["subject"] for subject in document["subjects"]]
    titles = [f"{subject['name']} {subject['version']}" for subject in document["subjects"]]
    pairs = matrix_test.pairs_of(document)
    assert len(seen["cells"]) == len(names) ** 2 == len(pairs)
    for row, producer in enumerate(names):
        for column, consumer in enumerate(names):
            cell = seen["cells"][f"cell-{row + 1}-{column + 1}"]
            wanted = f"{titles[row]} to {titles[column]}: {expected_text(pairs[producer, consumer])}"
            assert cell["text"].startswith(wanted), (cell["text"], wanted)
            assert expected_why(pairs[producer, consumer]) in cell["text"], cell
            assert cell["width"] > 40 and cell["height"] > 20 and cell["focused"] and cell["target"], cell
            assert cell["contrast"] >= 4.5, (wanted, cell)


def main():
    if not browser.find():
        print("skipped: there is no Chromium (Debian package chromium)")
        return 77
    with tempfile.TemporaryDirectory() as folder, browser.Browser() as chromium:
        work = matrix_test.Work(os.path.abspath(sys.argv[1]), folder)
        with open(os.path.join(folder, "refuses.py"), "w", encoding="utf-8") as file:
            file.write(REFUSES)
        work.matrix(
            1, *SUBJECTS, "--case", "exchange/float32/*", "--quiet", "--json", "page.json", "--html", "page.html"
        )
        document, page = work.document("page.json"), os.path.join(folder, "page.html")
        text = work.read("page.html")
        assert "<script" not in text and "http" not in re.sub(r"<code>.*?</code>", "", text), (
            "the page needs nothing but itself"
        )
        for dark in (False, True):
            seen = browse(chromium, page, dark)
            assert seen["dark"] == dark and seen["open"] == [] and seen["wide"] <= 1200, seen
            check_cells(seen, document)
        # Behind a cell: the pair's own cases, and no other pair.
        seen = browse(chromium, page, False, "#pair-1-2")
        assert [each["id"] for each in seen["open"]] == ["pair-1-2"], seen["open"]
        cases = {record["case"] for record in matrix_test.pairs_of(document)["./honest.py", "./blind.py"]}
        assert seen["open"][0]["rows"] == len(cases) and all(case in seen["open"][0]["text"] for case in cases)
        assert "blind shows other elements" in seen["open"][0]["text"]
        seen = browse(chromium, page, True, "#pair-1-5")
        assert "BufferError: not <b>this</b> one" in seen["open"][0]["text"]
    print("every cell shows what the document says, in light and dark")
    return 0


if __name__ == "__main__":
    sys.exit(main())
