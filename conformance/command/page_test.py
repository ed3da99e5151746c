"""The page of a matrix in a real browser: every cell shows what the document says, in light and dark, without scripts.

Usage: page_test.py BUILD_DIR. Ends with 77 when there is no Chromium.
"""

import collections
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import matrix_test

SUBJECTS = ["./honest.py", "./blind.py", "./loner.py", "./other_loner.py", "./refuses.py"]
REFUSES = '''"""Takes nothing."""

from honest import make, contents, version


def from_dlpack(source, **kwargs):
    raise BufferError("not <b>this</b> one")
'''

# Put into a copy of the page, it says what a reader sees: the page itself has no script.
LOOK = """<script>
addEventListener('load', () => {  // only then is the place known that the address names
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
const out = document.createElement('pre');
out.id = 'seen';
out.textContent = JSON.stringify(seen);
document.body.append(out);
});
</script>"""

WEIGHT = ["blocked", "unsupported", "pass", "info", "warn", "fail", "timeout", "crash"]


def expected_text(records):
    """What the cell of a pair has to say, from its records alone."""
    worst = collections.defaultdict(list)
    for record in records:
        worst[record["case"]].append(WEIGHT.index(record["status"]))
    cases = [WEIGHT[max(each)] for each in worst.values()]
    broken = sum(case in matrix_test.FAILING for case in cases)
    good = sum(case in ("pass", "info", "warn") for case in cases)
    if broken:
        return f"! fails {broken} of {len(cases)}"
    if good:
        memory = {record["came"]["memory"] for record in records if "came" in record}
        shared = "shared" in memory and "copied" not in memory
        return f"{'= shared' if shared else '+ copied'} {good} of {len(cases)}"
    return "- refused" if "unsupported" in cases else "x apart"


def browse(browser, folder, name, dark, place=""):
    """What the reader sees of the page at this place."""
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--window-size=1200,900",
        f"--user-data-dir={folder}/profile",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        "--dump-dom",
        f"file://{folder}/{name}{place}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, (done.returncode, done.stderr[-2000:], done.stdout[-500:])
    return json.loads(html.unescape(found[1]))


def check_cells(seen, document):
    names = [subject["subject"] for subject in document["subjects"]]
    titles = [f"{subject['name']} {subject['version']}" for subject in document["subjects"]]
    pairs = matrix_test.pairs_of(document)
    assert len(seen["cells"]) == len(names) ** 2 == len(pairs)
    for row, producer in enumerate(names):
        for column, consumer in enumerate(names):
            cell = seen["cells"][f"cell-{row + 1}-{column + 1}"]
            wanted = f"{titles[row]} to {titles[column]}: {expected_text(pairs[producer, consumer])}"
            assert cell["text"] == wanted, (cell["text"], wanted)
            assert cell["width"] > 40 and cell["height"] > 20 and cell["focused"] and cell["target"], cell
            assert cell["contrast"] >= 4.5, (wanted, cell)


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("skipped: there is no Chromium (Debian package chromium)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        work = matrix_test.Work(os.path.abspath(sys.argv[1]), folder)
        with open(os.path.join(folder, "refuses.py"), "w", encoding="utf-8") as file:
            file.write(REFUSES)
        work.matrix(
            1, *SUBJECTS, "--case", "exchange/float32/*", "--quiet", "--json", "page.json", "--html", "page.html"
        )
        document, page = work.document("page.json"), work.read("page.html")
        assert "<script" not in page and "http" not in re.sub(r"<code>.*?</code>", "", page), (
            "the page needs nothing but itself"
        )
        with open(os.path.join(folder, "look.html"), "w", encoding="utf-8") as file:
            file.write(page.replace("</body>", LOOK + "</body>"))
        for dark in (False, True):
            seen = browse(browser, folder, "look.html", dark)
            assert seen["dark"] == dark and seen["open"] == [] and seen["wide"] <= 1200, seen
            check_cells(seen, document)
        # Behind a cell: the pair's own cases, and no other pair.
        seen = browse(browser, folder, "look.html", False, "#pair-1-2")
        assert [each["id"] for each in seen["open"]] == ["pair-1-2"], seen["open"]
        cases = {record["case"] for record in matrix_test.pairs_of(document)["./honest.py", "./blind.py"]}
        assert seen["open"][0]["rows"] == len(cases) and all(case in seen["open"][0]["text"] for case in cases)
        assert "blind shows other elements" in seen["open"][0]["text"]
        seen = browse(browser, folder, "look.html", True, "#pair-1-5")
        assert "BufferError: not <b>this</b> one" in seen["open"][0]["text"]
    print("every cell shows what the document says, in light and dark")
    return 0


if __name__ == "__main__":
    sys.exit(main())
