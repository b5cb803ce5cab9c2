"""The measured programs: which are installed, and how a sample of each is taken.

A program has `sample()`, which returns seconds, or MiB, by quantity: "wall", "cpu", "peak", and
`close()`. It is a whole process, or a worker that repeats its work while others wait.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import quote

from tests.bench.viewer_comparison import draw_with_three
from tests.support import chromium

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
F3D = os.environ.get("F3D_PYTHON", sys.executable)
LOADERS = os.environ.get("LOADERS_PYTHON", F3D)
PATIENCE = 120.0  # seconds, for the answer of a worker
BURST = 0.5  # seconds
WARM_UP = 1.0  # seconds
COLD, CALLS = 3, 12  # of a process that is started anew
TICK = os.sysconf("SC_CLK_TCK")  # per second, of /proc/*/stat


class FailedError(Exception):
    """A program gave no figures."""


class Whole:
    """A whole process: wall and processor seconds, and the peak memory in MiB.

    `before` is called before each run, outside the measured time.
    """

    def __init__(self, command, *, before=None, warm=True, codes=(0,), **variables):
        self._command = [sys.executable, "-S", "-I", HERE / "timed_process.py", *command]
        self._before, self._codes, self._variables = before, codes, variables
        if warm:
            self.sample()

    def sample(self):
        if self._before:
            self._before()
        ran = subprocess.run(
            [str(part) for part in self._command],
            cwd=ROOT,
            env=environment(**self._variables),
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            raise FailedError(ran.stderr.strip().rpartition("\n")[2])
        found = json.loads(ran.stdout)
        if found["code"] not in self._codes:
            raise FailedError(f"{self._command[-1]}: exit code {found['code']}: {found['error']}")
        return {name: found[name] for name in ("wall", "cpu", "peak")}

    def close(self):
        pass


class Worker:
    """A process that does a job in bursts: wall and processor seconds of `count` calls."""

    def __init__(self, command, job, *, each=1, warm_up=WARM_UP):
        self._each, self._name = each, job["task"]
        self._process = subprocess.Popen(
            [str(part) for part in command],
            cwd=ROOT,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._ask(job)
        if warm_up is not None:
            self._ask({"burst": warm_up})

    def calls(self, cold, count):
        """Return the seconds of a call: the mean of `count` calls after `cold` others."""
        self._ask({"calls": cold})
        return self._ask({"calls": count})

    def sample(self):
        found = self._ask({"burst": BURST})
        return {name: seconds / self._each for name, seconds in found.items()}

    def _ask(self, question):
        with contextlib.suppress(BrokenPipeError):  # then there is no answer
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        patience = threading.Timer(PATIENCE, self._process.kill)
        patience.start()
        line = self._process.stdout.readline()
        patience.cancel()
        if not line.startswith("{"):
            self._process.kill()
            error = self._process.communicate()[1].strip().rpartition("\n")[2]
            raise FailedError(f"{self._name}: {line or error}")
        return json.loads(line)

    def close(self):
        for end in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(BrokenPipeError):
                end.close()
        self._process.wait(10)


class Fresh:
    """A process that is started for each sample and does a job a few times, three of them cold.

    A viewer loads a file once: compilers that watch a program have not finished by then.
    """

    def __init__(self, command, job):
        self._command, self._job = command, job

    def sample(self):
        worker = Worker(self._command, self._job, warm_up=None)
        try:
            return worker.calls(COLD, CALLS)
        finally:
            worker.close()

    def close(self):
        pass


class Browser:
    """A page of three.js in Chromium that draws in bursts; the time of all its processes."""

    def __init__(self, path, **job):
        self._three = draw_with_three.Three(HERE / "three_frames.html")
        job["url"] = f"/file{quote(str(Path(path).resolve()))}"
        try:
            self._three.ask(f"prepare({json.dumps(job)})")
            self._three.ask(f"burst({WARM_UP})")
        except Exception:
            self.close()
            raise

    def sample(self):
        cpu = self._cpu()
        found = self._three.ask(f"burst({2 * BURST})")
        seconds = self._cpu() - cpu
        return {"wall": found["seconds"] / found["count"], "cpu": seconds / found["count"]}

    def _cpu(self):
        return cpu_of_tree(self._three.process)

    def close(self):
        self._three.close()


def cpu_of_tree(root):
    """Return the processor seconds so far of a process and all its descendants that live."""
    parents, spent = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
            parents[int(entry.name)] = int(fields[1])
            spent[int(entry.name)] = sum(map(int, fields[11:15])) / TICK
    chosen = {root}
    while True:
        more = {number for number, parent in parents.items() if parent in chosen} | chosen
        if more == chosen:
            return sum(spent.get(number, 0.0) for number in chosen)
        chosen = more


_places = {}  # folders of settings and caches of this run, by the names of variables


def use_folders(settings, caches):
    """Keep settings and caches of measured programs in folders: no settings, warm caches."""
    kept = {"XDG_CACHE_HOME": caches, "MESA_SHADER_CACHE_DIR": caches / "shaders"}
    for variable, folder in {"XDG_CONFIG_HOME": settings, **kept}.items():
        folder.mkdir(parents=True, exist_ok=True)
        _places[variable] = str(folder)


def forget_environments():
    """Empty the cache of environments."""
    shutil.rmtree(Path(_places["XDG_CACHE_HOME"]) / "rigview" / "environments", ignore_errors=True)


def environment(**variables):
    """Return the environment of a measured program."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return known | _places | {"PYTHONPATH": str(ROOT)} | variables


def _has(python, module):
    try:
        ran = subprocess.run(
            [python, "-c", f"import {module}"], capture_output=True, timeout=60, check=False
        )
    except OSError:
        return False
    return ran.returncode == 0


def missing():
    """Return why programs are not measured, by their names in the rows."""
    three = draw_with_three.folder() is None
    three = three and "`npm install three@0.187` somewhere, and THREE_DIR=that folder"
    reasons = {
        "three.js": three or (shutil.which("node") is None and "node is missing"),
        "three.js in Chromium": three or (chromium.find() is None and "Chromium is missing"),
        "f3d": not _has(F3D, "f3d")
        and "`pip install f3d` here, or F3D_PYTHON=an interpreter that has it",
        "a window": shutil.which("Xvfb") is None and "Xvfb is missing",
    }
    for name in ("pygltflib", "trimesh"):
        installed = _has(LOADERS, name)
        reasons[name] = not installed and f"`pip install {name}` at LOADERS_PYTHON or F3D_PYTHON"
    return {name: str(reason) for name, reason in reasons.items() if reason}
