"""The report page in a real browser at three widths: where things stand, not only that they are there.

Usage: positions_test.py BUILD_DIR. Ends with 77 when there is no Chromium.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import browser
import tools

CONFORMANCE = pathlib.Path(__file__).resolve().parents[2]
FAKES = CONFORMANCE / "selfcheck" / "fakes"
sys.path.append(str(CONFORMANCE / "python" / "package"))
import result  # noqa: E402 -- found by the line above

WARNED = "python.export-buffererror"
SUBJECTS = ("segfault", "blind", "odd_texts", "honest")
WIDTHS = (360, 768, 1280)
SCREEN = 800  # pixels, high
NARROW = 640  # below it tables are lists, and the names of fields stand above their values

# Boxes are [left, top, right, bottom] on the page, of what is seen.
LOOK = """(() => {
const box = e => { const r = e.getBoundingClientRect();
  const sides = [r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY];
  return sides.map(v => Math.round(v * 10) / 10); };
const pieces = e => [...e.getClientRects()].map(r => [r.left, r.top, r.right, r.bottom]);
const seen = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
const all = (what, root = document) => [...root.querySelectorAll(what)].filter(seen);
const outside = e => !e.closest('.wide, .unseen') && (box(e)[2] > innerWidth + 0.5 || box(e)[0] < -0.5);
const rows = all('dl').flatMap(dl => all(':scope > dt', dl).map(dt => [box(dt), box(dt.nextElementSibling)]));
return {
  width: innerWidth, page: document.documentElement.scrollWidth,
  outside: all('body *').filter(outside).map(e => e.tagName + ' ' + e.className + ' ' + box(e)),
  clipped: all('body *').filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible'
    && !e.closest('.wide, .unseen, svg')).map(e => e.tagName + ' ' + e.className),
  heading: box(document.querySelector('h1')),
  verdicts: all('p.verdict').map(e => ({box: box(e), text: e.innerText})),
  counts: all('ul.counts').map(box), filter: all('fieldset.filter').map(box), matrix: all('table.matrix').map(box),
  cells: all('table.matrix tbody tr').map(row => all('td', row).map(box)),
  sections: all('section[id^="subject-"]').map(box),
  findings: all('details.finding').map(e => ({kind: e.classList[1], open: e.open, box: box(e),
    section: e.closest('section').id, status: box(e.querySelector('.status')), summary: box(e.querySelector('summary')),
    overlap: [...e.querySelectorAll(':scope > summary > *')].flatMap(pieces)})),
  scrolled: all('.wide').filter(e => e.scrollWidth > e.clientWidth + 1).map(box),
  rows: rows, small: all('body *').filter(e => e.firstChild && e.firstChild.nodeType === 3
    && parseFloat(getComputedStyle(e).fontSize) < 12 && !e.closest('svg')).map(e => e.tagName),
  broken: all('code span').filter(e => e.getClientRects().length > 1).map(e => e.textContent),
  options: all('code span').length,
  targets: all('summary, a.cell, fieldset.filter label').map(box),
  pictures: [...document.querySelectorAll('svg.dlspec-memory')].map(box)};
})()"""

FOCUSED = """(() => { const e = document.activeElement, r = e.getBoundingClientRect();
  return e === document.body ? null : {tag: e.tagName, top: r.top + scrollY, outline: getComputedStyle(e).outlineStyle,
    shown: r.top >= 0 && r.bottom <= innerHeight}; })()"""


def below(upper, lower):
    return lower[1] >= upper[3] - 0.5


def apart(boxes):
    """No two of them share a point."""
    return all(
        a[2] <= b[0] + 0.5 or b[2] <= a[0] + 0.5 or a[3] <= b[1] + 0.5 or b[3] <= a[1] + 0.5
        for number, a in enumerate(boxes)
        for b in boxes[:number]
    )


def check_order(seen):
    """Verdicts, filter, matrix, then the findings of each subject, the worst first."""
    blocks = [
        seen["heading"],
        *(box for pair in zip(seen["verdicts"], seen["counts"]) for box in (pair[0]["box"], pair[1])),
    ]
    blocks += seen["filter"] + seen["matrix"] + seen["sections"]
    for upper, lower in zip(blocks, blocks[1:]):
        assert below(upper, lower), (seen["width"], upper, lower)
    weight = {"failing": 0, "warn": 1, "info": 2}
    for one, other in zip(seen["findings"], seen["findings"][1:]):
        assert below(one["box"], other["box"]), (one, other)
        if one["section"] == other["section"]:
            assert weight[one["kind"]] <= weight[other["kind"]], (one, other)


def check_widths(seen, width):
    assert seen["width"] == width and seen["page"] <= width, (seen["width"], seen["page"])
    assert seen["outside"] == [], seen["outside"]
    assert seen["clipped"] == [], seen["clipped"]
    assert width >= NARROW or seen["scrolled"] == [], ("a table is scrolled sideways", seen["scrolled"])
    assert seen["small"] == [], seen["small"]
    assert seen["broken"] == [], ("options broken over lines", seen["broken"])
    for box in seen["targets"]:
        assert box[2] - box[0] >= 24 and box[3] - box[1] >= 24, ("too small to be tapped", box)


def check_findings(seen, width):
    assert {each["kind"] for each in seen["findings"]} == {"failing", "warn", "info"}, seen["findings"]
    sections = set()
    for each in seen["findings"]:
        is_worst = each["section"] not in sections and each["kind"] != "info"
        assert each["open"] == is_worst, ("the worst finding of a subject alone is open", each)
        sections.add(each["section"])
        assert each["status"][0] >= 0 and each["status"][2] <= width, ("the verdict is off the screen", each)
        assert each["status"][1] - each["summary"][1] < 24, ("the verdict is not on the first line", each)
        assert apart(each["overlap"]), each
    for name, value in seen["rows"]:
        beside = width >= NARROW
        assert (value[0] > name[2] and abs(value[1] - name[1]) < 6) if beside else below(name, value), (name, value)


def check_page(page, width, failing):
    seen = page.evaluate(LOOK)
    check_widths(seen, width)
    check_order(seen)
    check_findings(seen, width)
    first = seen["verdicts"][0]
    assert first["box"][3] <= SCREEN and failing in first["text"], first
    # With everything open nothing is wider either.
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    seen = page.evaluate(LOOK)
    check_widths(seen, width)
    assert seen["options"] > 0, "no command that repeats a finding"
    assert seen["pictures"] and all(box[2] <= width for box in seen["pictures"]), seen["pictures"]


def check_matrix(page, width):
    """Its verdict is on the first screen; the cells of a row stand beside each other, or below where it is narrow."""
    seen = page.evaluate(LOOK)
    check_widths(seen, width)
    check_order(seen)
    verdict = seen["verdicts"][0]
    assert verdict["box"][3] - seen["heading"][1] < SCREEN and "of 9 pairs" in verdict["text"], verdict
    assert below(verdict["box"], seen["matrix"][0]), (verdict, seen["matrix"])
    for row in seen["cells"]:
        for one, other in zip(row, row[1:]):
            assert below(one, other) if width < NARROW else one[2] <= other[0] and one[1] == other[1], (one, other)


def check_filter(page):
    """Each choice leaves its own kind of finding, and what follows moves up."""
    whole = page.evaluate(LOOK)
    for choice, kind in (("show-failing", "failing"), ("show-warn", "warn"), ("show-info", "info")):
        page.evaluate(f"document.getElementById('{choice}').click()")
        seen = page.evaluate(LOOK)
        assert {each["kind"] for each in seen["findings"]} == {kind}, (choice, seen["findings"])
        assert seen["sections"][-1][3] < whole["sections"][-1][3], choice
    page.evaluate("document.getElementById('show-all').click()")
    assert page.evaluate(LOOK)["findings"] == whole["findings"]


def check_keyboard(page):
    """Tab leads down the page; what has the focus is seen, and has an outline."""
    tops = []
    for _ in range(12):
        page.key("Tab")
        focused = page.evaluate(FOCUSED)
        assert focused and focused["shown"] and focused["outline"] not in ("none", "hidden"), focused
        tops.append(focused["top"])
    assert tops == sorted(tops), tops


def check_axe(page, axe):
    page.evaluate(axe + ";0")
    found = page.evaluate("axe.run().then(r => r.violations.map(v => [v.id, v.help, v.nodes.length, v.nodes[0].html]))")
    assert found == [], json.dumps(found, indent=1)


def make(build, folder):
    """The pages: a report with a matrix below its verdicts, and the largest subject's document."""
    environment = dict(os.environ, PYTHONPATH=str(build / "lib/python"))

    def dlspec(*arguments):
        done = subprocess.run(
            [str(build / "bin" / "dlspec"), *arguments, "--quiet"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode in (0, 1), (arguments, done.returncode, done.stderr)

    def with_warnings(document):
        """The same, with a warning in place of a few passes: no fake gives one."""
        few = [each for each in document["results"] if each["status"] == "pass" and each["rule"] == WARNED][:5]
        for each in few:
            each |= {"status": "warn", "observed": "seen", "allowed": "other", "reproduce": "dlspec run honest"}
        document["summary"]["pass"] -= len(few)
        document["summary"]["warn"] += len(few)
        del document["digest"]
        return document

    paths = [str(FAKES / f"{name}.py") for name in SUBJECTS]
    python = ("--python", sys.executable)
    few = ("--case", "*/float32/{c,negative,offset,readonly,empty}/*")
    dlspec("run", *paths, *python, *few, "--json", "judged.json")
    document = with_warnings(result.read_result(folder / "judged.json"))
    (folder / "run.json").write_text(json.dumps(document), encoding="utf-8")
    dlspec("report", "run.json", "--html", "run.html")
    dlspec("matrix", *paths[1:], *python, "--case", "exchange/float32/*", "--json", "m.json", "--html", "matrix.html")


def main():
    if not browser.find():
        print("skipped: there is no Chromium (Debian package chromium)")
        return 77
    build, axe = pathlib.Path(sys.argv[1]).resolve(), tools.axe()
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        make(build, folder)
        chromium = stack.enter_context(browser.Browser())
        for width in WIDTHS:
            for dark in (False, True):
                for place in ("run.html", "matrix.html", "matrix.html#pair-1-2"):
                    with chromium.page(folder / place, width, SCREEN, dark) as page:
                        if place == "run.html":
                            check_page(page, width, "segfault")
                        else:
                            check_matrix(page, width)
                        if axe:
                            check_axe(page, axe)
        with chromium.page(folder / "run.html", 1280, SCREEN) as page:
            check_filter(page)
        with chromium.page(folder / "run.html", 1280, SCREEN) as page:
            check_keyboard(page)
    print(f"positions at {', '.join(map(str, WIDTHS))} pixels; " + ("axe-core found nothing" if axe else "no axe-core"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
