"""A headless Chromium, controlled through pipes by the Chrome DevTools Protocol."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import time
from contextlib import suppress

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE = 30.0  # seconds


def find():
    """The path of an installed Chromium or Chrome, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """One page of a browser; records network requests and errors.

    Attributes
    ----------
    requests
        Requested addresses, without data: and blob:.
    errors
        Console messages, exceptions and violations of the content security policy.
    """

    def __init__(self, path, profile, flags=FLAGS):
        down, up = os.pipe(), os.pipe()

        def as_three_and_four():
            os.setpgid(0, 0)
            high = [os.dup(down[0]), os.dup(up[1])]  # these may be 3 or 4
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self._process = subprocess.Popen(
            [path, *flags, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=as_three_and_four,
        )
        os.close(down[0])
        os.close(up[1])
        self._to, self._from = down[1], up[0]
        self._buffer = b""
        self._number = 0
        self._session = None
        self.requests = []
        self.errors = []
        self._events = []
        target = self.call("Target.getTargets")["targetInfos"]
        page = next(each["targetId"] for each in target if each["type"] == "page")
        opened = self.call("Target.attachToTarget", targetId=page, flatten=True)
        self._session = opened["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        """Close the browser and all its processes."""
        with suppress(OSError, AssertionError, TimeoutError):
            self._session = None
            self.call("Browser.close")
        with suppress(OSError):
            os.close(self._to)
            os.close(self._from)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    @property
    def process(self):
        """The number of its first process."""
        return self._process.pid

    def call(self, method, **params):
        """Send one command and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def _read(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            part = os.read(self._from, 1 << 20)
            assert part, "the browser has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        answer = json.loads(message)
        self._note(answer.get("method", ""), answer.get("params", {}))
        return answer

    def _note(self, method, params):
        if method == "Network.requestWillBeSent":
            address = params["request"]["url"]
            if not address.startswith(("data:", "blob:")):
                self.requests.append(address)
        elif method == "Runtime.consoleAPICalled":
            self.errors.append(str(params["args"]))
        elif method == "Runtime.exceptionThrown":
            self.errors.append(str(params["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.errors.append(params["entry"]["text"])
        self._events.append(method)

    # --- user input --------------------------------------------------------------------

    def open(self, path):
        """Load a file and wait for the load event."""
        self._events.clear()
        self.call("Page.navigate", url=path.as_uri())
        while "Page.loadEventFired" not in self._events:
            self._read()

    def ask(self, expression):
        """Return the value of a JavaScript expression, after awaiting promises."""
        given = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in given, given["exceptionDetails"]
        return given["result"].get("value")

    def until(self, expression, seconds=10.0):
        """Wait until an expression is true, and return its value."""
        end = time.monotonic() + seconds
        while not (found := self.ask(expression)):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)
        return found

    def size(self, width, height, *, scale=1, touch=False):
        """Set the size of the window."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=touch,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def set_preferences(self, *, dark=False, calm=False, paper=False):
        """Set the preferences of the system: dark colours, reduced motion, print."""
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"},
        ]
        media = "print" if paper else ""
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def middle(self, selector):
        """Scroll to an element; return its centre in pixels."""
        self.ask(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        box = f"document.querySelector({selector!r}).getBoundingClientRect()"
        return self.ask(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box})")

    def hover(self, selector):
        """Move the mouse over an element."""
        x, y = self.middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector):
        """Click on an element."""
        self.hover(selector)
        x, y = self.middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, selector):
        """Touch an element with a finger."""
        x, y = self.middle(selector)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def write(self, selector, text):
        """Click into a field and type text."""
        self.click(selector)
        self.call("Input.insertText", text=text)

    def press(self, key, code=""):
        """Press and release a key: "Tab", "Enter", " "."""
        text = {"Enter": "\r", " ": " "}.get(key)
        given = {"key": key, "code": code or key}
        number = {"Tab": 9, "Enter": 13, " ": 32}[key]
        given |= {"windowsVirtualKeyCode": number}
        kind = "keyDown" if text else "rawKeyDown"
        self.call("Input.dispatchKeyEvent", type=kind, **given, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def picture(self, path, *, whole=False):
        """Save the visible part, or the whole page, as PNG."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))
        return path
