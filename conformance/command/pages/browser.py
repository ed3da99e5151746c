"""Headless Chromium over its debugging pipe: pages at a given width and colour scheme, without a driver of its own."""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # a container has no user namespaces of its own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)
NARROW = 600  # pixels; below it a page is shown as by a phone, whose viewport the page itself sets


def find():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One open page."""

    def __init__(self, browser, session):
        self._browser, self._session = browser, session

    def ask(self, method, **parameters):
        return self._browser.ask(method, self._session, **parameters)

    def evaluate(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def key(self, name):
        """Presses a key that makes no character, such as Tab."""
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=9)

    def screenshot(self, path, most=None):
        """The whole page, or its first `most` pixels, as PNG."""
        height = self.evaluate("document.documentElement.scrollHeight")
        size = self.ask("Page.getLayoutMetrics")["cssLayoutViewport"]
        clip = {"x": 0, "y": 0, "width": size["clientWidth"], "height": min(height, most or height), "scale": 1}
        answer = self.ask("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))


class Browser:
    """A running Chromium. Use it in a with statement."""

    def __init__(self):
        self._stack = contextlib.ExitStack()
        self._number, self._events = 0, []

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            read, theirs_write = os.pipe()
            theirs_read, write = os.pipe()
            # Chromium reads from descriptor 3 and writes to descriptor 4.
            shell = f'exec "$@" 3<&{theirs_read} 4>&{theirs_write}'
            self._process = subprocess.Popen(
                ["bash", "-c", shell, "chromium", find(), *OPTIONS, f"--user-data-dir={profile}"],
                pass_fds=(theirs_read, theirs_write),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.callback(self._end)
            os.close(theirs_read)
            os.close(theirs_write)
            self._input = stack.enter_context(os.fdopen(read, "rb"))
            self._output = stack.enter_context(os.fdopen(write, "wb"))
            self._buffer = b""
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *problem):
        with contextlib.suppress(OSError, RuntimeError):
            self.ask("Browser.close")
        self._stack.close()

    def _end(self):
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _message(self):
        while b"\0" not in self._buffer:
            piece = os.read(self._input.fileno(), 1 << 16)
            if not piece:
                raise RuntimeError("Chromium ended")
            self._buffer += piece
        text, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, session=None, **parameters):
        self._number += 1
        request = {"id": self._number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        self._output.write(json.dumps(request).encode() + b"\0")
        self._output.flush()
        while True:
            message = self._message()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self._events.append((message.get("sessionId"), message["method"]))

    def _await(self, event):
        while event not in self._events:
            message = self._message()
            self._events.append((message.get("sessionId"), message.get("method")))
        self._events.clear()

    @contextlib.contextmanager
    def page(self, address, width, height=800, dark=False):
        """The page at a path, with "#place" behind it where it is to be opened there."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        try:
            page.ask("Page.enable")
            mobile = width < NARROW
            page.ask(
                "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile
            )
            scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            page.ask("Emulation.setEmulatedMedia", features=[scheme])
            self._events.clear()
            page.ask("Page.navigate", url="file://" + os.path.abspath(address))
            self._await((session, "Page.loadEventFired"))
            yield page
        finally:
            self.ask("Target.closeTarget", targetId=target)
