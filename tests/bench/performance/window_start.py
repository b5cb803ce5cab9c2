"""The window on a virtual screen: from the start of the program to its first picture of a file."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.performance.programs import FailedError, cpu_of_tree, environment
from tests.support.xvfb import XServer

PATIENCE = 60.0  # seconds


class WindowStart:
    """Opens a window, until it has drawn a frame that shows the file, and ends it.

    With `cold`, the shader cache is empty before each start.
    """

    def __init__(self, path, *, cold):
        self._path, self._cold = path, cold
        self._temporary = tempfile.TemporaryDirectory()
        self._folder = Path(self._temporary.name)
        self._xserver = XServer(self._folder)
        self._trace = self._folder / "trace.json"
        try:
            if not cold:
                self.sample()
        except FailedError:
            self.close()
            raise

    def sample(self):
        variables = {"DISPLAY": self._xserver.display, "RIGVIEW_TRACE": str(self._trace)}
        if self._cold:
            shaders = self._folder / "shaders"
            shutil.rmtree(shaders, ignore_errors=True)
            variables["MESA_SHADER_CACHE_DIR"] = str(shaders)
        self._trace.unlink(missing_ok=True)
        begin = time.perf_counter()
        program = subprocess.Popen(
            [sys.executable, "-m", "rigview", str(self._path)],
            env=environment(**variables),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not self._shows_file():
                if program.poll() is not None or time.perf_counter() > begin + PATIENCE:
                    raise FailedError("the window does not show the file")
                time.sleep(0.005)
            return {"wall": time.perf_counter() - begin, "cpu": cpu_of_tree(program.pid)}
        finally:
            program.kill()
            program.wait(10)

    def _shows_file(self):
        return self._trace.exists() and json.loads(self._trace.read_text())["file"] != ""

    def close(self):
        self._xserver.close()
        self._temporary.cleanup()
