"""Draws pictures with three.js in a headless Chromium."""

import base64
import functools
import http.server
import io
import json
import os
import tempfile
import threading
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np
from PIL import Image

from tests.support import chromium

HERE = Path(__file__).resolve().parent
FLAGS = (  # WebGL 2 on the system's OpenGL instead of SwiftShader
    *(flag for flag in chromium.FLAGS if flag != "--disable-gpu"),
    "--use-gl=angle",
    "--use-angle=gl-egl",
    "--ignore-gpu-blocklist",
)


def missing():
    """A message if Chromium or three.js is missing, else None."""
    if chromium.find() is None:
        return "three.js is skipped: Chromium is missing (apt-get install chromium)"
    if folder() is None:
        return "three.js is skipped: `npm install three@0.187` somewhere, and THREE_DIR=that folder"
    return None


def folder():
    """The folder of three.js, or None."""
    found = Path(os.environ.get("THREE_DIR", ".")).resolve()
    for each in (found, found / "node_modules" / "three"):
        if (each / "build" / "three.module.js").is_file():
            return each
    return None


class Three:
    """Draws files with three.js in a browser, by the functions of a page."""

    def __init__(self, page=HERE / "three_viewer.html"):
        handler = functools.partial(_Handler, folder(), page)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._browser = chromium.Chromium(chromium.find(), self._profile.name, FLAGS)
        address = f"http://127.0.0.1:{self._server.server_port}"
        self._browser.call("Page.navigate", url=f"{address}/")
        self._browser.until("window.ready", 60)

    @property
    def process(self):
        """The number of the browser's process."""
        return self._browser.process

    def ask(self, expression):
        """The value of an expression in the page."""
        return self._browser.ask(expression)

    def draw(self, path, clip, time, size, camera, **more):
        """A picture [H, W, 4] of a clip; `more` are fields of a job in three_viewer.html."""
        job = {"url": f"/file{quote(str(path.resolve()))}", "clip": clip, "time": time}
        job |= {"size": size, "tone": "neutral"} | more
        job["view"] = camera.view().T.ravel().tolist()
        job["projection"] = camera.projection(size[0] / size[1]).T.ravel().tolist()
        data = self.ask(f"draw({json.dumps(job)})")
        with Image.open(io.BytesIO(base64.b64decode(data.split(",")[1]))) as picture:
            return np.asarray(picture.convert("RGBA"))

    def close(self):
        """Close the browser and the server."""
        self._browser.close()
        self._server.shutdown()
        self._server.server_close()
        self._profile.cleanup()


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the page, three.js, and the drawn files."""

    def __init__(self, three, page, *given):
        self._three, self._page = three, page
        super().__init__(*given)

    def log_message(self, *given):
        pass

    def translate_path(self, path):
        path = unquote(path.partition("?")[0])
        if path == "/":
            return str(self._page)
        if path.startswith("/three/"):
            return str(self._three / path[7:])
        return path[5:] if path.startswith("/file/") else "/nonexistent"


_Handler.extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
    ".js": "text/javascript"
}
