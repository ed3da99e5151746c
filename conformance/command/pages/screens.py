"""What people see, as pictures to be looked at: console, report, matrix, pages, in light and dark, phone and desktop.

python3 conformance/command/pages/screens.py OUT [--build BUILD] [--result RESULT.json] [--matrix MATRIX.json]

Without a result it judges a few faulty subjects of the project's own. OUT gets a PNG for each.
"""

import argparse
import codecs
import html
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

import browser
import positions_test
import tools

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ROOT / "conformance" / "evidence" / "pages"
WIDTHS = {"phone": 360, "desktop": 1280}
COLUMNS = 80
SLICED = "numpy.arange(24).reshape(4,6)[::2, ::-1]"
# A terminal's usual colours on its two grounds.
GROUND = {False: ("#ffffff", "#1b1b1f"), True: ("#16171a", "#e6e7ea")}
COLOURS = {
    False: {"red": "#a4161a", "green": "#14692d", "brown": "#7a5200", "blue": "#0b57d0"},
    True: {"red": "#ff8f88", "green": "#79d08f", "brown": "#f0bd5b", "blue": "#9cc2ff"},
}
MARKDOWN = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>page</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root { color-scheme: light dark; } body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 sans-serif;
  overflow-wrap: anywhere; } table { border-collapse: collapse; display: block; overflow-x: auto;
  overflow-wrap: normal; } th, td { border: 1px solid #8888; padding: 0.3rem 0.6rem; vertical-align: top; }
img { max-width: 100%; } td img { max-width: none; }
pre { overflow-x: auto; padding: 0.5rem; border: 1px solid #8888; } a { color: #0b57d0; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6e7ea; } a { color: #9cc2ff; } }
</style></head><body>"""


def on_terminal(command, environment):
    """What a program writes to a terminal of COLUMNS columns, on which it may use colours."""
    control, terminal = pty.openpty()
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    written = b""
    while True:
        try:
            piece = os.read(control, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        written += piece
    os.close(control)
    process.wait()
    return codecs.decode(written, "utf-8", "replace")


def console_page(written, dark):
    """The screen of a terminal emulator after that, as a page."""
    import pyte

    screen = pyte.Screen(COLUMNS, sum(len(line) // COLUMNS + 1 for line in written.split("\n")) + 1)
    pyte.Stream(screen).feed(written)
    ground, ink = GROUND[dark]
    lines = []
    for row in range(screen.lines):
        line = ""
        for column in range(COLUMNS):
            cell = screen.buffer[row][column]
            style = f"color:{COLOURS[dark].get(cell.fg, ink)}" if cell.fg != "default" else ""
            style += ";font-weight:700" if cell.bold else ""
            text = html.escape(cell.data)
            line += f'<span style="{style}">{text}</span>' if style else text
        lines.append(line.rstrip())
    body = "\n".join(lines).rstrip()
    return (
        f'<!DOCTYPE html><meta charset="utf-8"><body style="margin:0;background:{ground};color:{ink}">'
        f'<pre style="margin:12px;font:15px/1.25 DejaVu Sans Mono,monospace;width:{COLUMNS}ch">{body}</pre>'
    )


def markdown_page(path):
    """A page of the documentation about as its readers see it."""
    from markdown_it import MarkdownIt

    text = MarkdownIt("commonmark", {"html": True}).enable("table").render(path.read_text(encoding="utf-8"))
    return f'{MARKDOWN}<base href="file://{path.parent}/">{text}</body></html>'


class Screens:
    def __init__(self, chromium, folder, out):
        self.chromium, self.folder, self.out = chromium, folder, out

    def take(self, page, name, widths=None, most=2600):
        """A page, or a function of the colour scheme that gives one."""
        for device, width in (widths or WIDTHS).items():
            for dark in (False, True):
                path = page
                if not isinstance(page, pathlib.Path):
                    path = self.folder / "page.html"
                    path.write_text(page(dark), encoding="utf-8")
                picture = self.out / f"{name}-{device}-{'dark' if dark else 'light'}.png"
                with self.chromium.page(path, width, dark=dark) as shown:
                    shown.evaluate("document.querySelectorAll('details.memory').forEach(e => e.open = true)")
                    shown.screenshot(picture, most)
                print(picture)


def main():
    parser = argparse.ArgumentParser(description="Makes pictures of what people see.")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--result", type=pathlib.Path, help="a document of dlspec run")
    parser.add_argument("--matrix", type=pathlib.Path, help="a document of dlspec matrix")
    options = parser.parse_args()
    place = tools.folder()
    if not browser.find() or place is None:
        print("skipped: this needs Chromium and the packages of conformance/setup/page-tools.txt")
        return 77
    sys.path.append(str(place))
    options.out.mkdir(parents=True, exist_ok=True)
    dlspec = str(options.build.resolve() / "bin" / "dlspec")
    environment = dict(os.environ, TERM="xterm-256color", COLUMNS=str(COLUMNS), LANG="C.UTF-8")
    environment["PYTHONPATH"] = str(options.build.resolve() / "lib" / "python")
    with tempfile.TemporaryDirectory() as work, browser.Browser() as chromium:
        folder = pathlib.Path(work)
        positions_test.make(options.build.resolve(), folder)
        result, matrix = options.result or folder / "run.json", options.matrix or folder / "m.json"
        for source, name in ((result, "report"), (matrix, "matrix")):
            subprocess.run(
                [dlspec, "report", str(source), "--quiet", "--html", str(folder / f"{name}.html")], check=False
            )
        screens = Screens(chromium, folder, options.out.resolve())
        wide = {"desktop": COLUMNS * 9 + 40}
        for name, command in (
            ("console", ["report", str(result)]),
            ("console-matrix", ["report", str(matrix)]),
            ("console-inspect", ["inspect", SLICED, "--with", "numpy@latest", "--yes"]),
        ):
            written = on_terminal([dlspec, *command], environment)
            if not written.strip():
                raise SystemExit(f"dlspec {' '.join(command)} prints nothing")
            screens.take(lambda dark, written=written: console_page(written, dark), name, wide)
        screens.take(folder / "report.html", "report")
        screens.take(folder / "matrix.html", "matrix")
        for path, name in (
            (PAGES / "fleet.md", "fleet"),
            (PAGES / "rules" / "tensor.byte-offset-honoured.md", "rule"),
            (PAGES / "upstream" / "README.md", "upstream"),
        ):
            screens.take(lambda dark, path=path: markdown_page(path), name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
