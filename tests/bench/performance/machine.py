"""The machine, the versions of all programs, and the commit that is measured."""

import json
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rigview import __version__
from tests.bench.performance.programs import F3D, LOADERS, ROOT
from tests.bench.viewer_comparison import draw_with_three
from tests.support import chromium


def machine():
    """Return processor, number of cores, memory, system and OpenGL driver."""
    return {
        "processor": _line("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "OpenGL": _driver(),
    }


def _line(path, head):
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == head:
            return value.strip()
    return ""


def _driver():
    code = (
        "from rigview.rendering.context import create_context as c; i = c().info; "
        "print(i['GL_RENDERER'], 'OpenGL', i['GL_VERSION'])"
    )
    return _output(sys.executable, "-c", code)


def versions(missing):
    """Return the versions of the programs that are measured."""
    three = draw_with_three.folder()
    found = {"Rigview": __version__, "Python": platform.python_version()}
    for name in ("numpy", "moderngl"):
        found[name] = version(name)
    if three is not None:
        found["three.js"] = json.loads((three / "package.json").read_text())["version"]
        found["node"] = _output("node", "--version").lstrip("v")
    if "three.js in Chromium" not in missing:
        found["Chromium"] = _output(chromium.find(), "--version").split()[1]
    for name, python in (("f3d", F3D), ("pygltflib", LOADERS), ("trimesh", LOADERS)):
        if name not in missing:
            found[name] = _version_in(python, name)
    return found


def _version_in(python, name):
    if python == sys.executable:
        try:
            return version(name)
        except PackageNotFoundError:
            return ""
    return _output(python, "-c", f"from importlib.metadata import version as v; print(v({name!r}))")


def commit():
    """Return the short hash of the commit, with a plus if files have changed since."""
    head = _output("git", "rev-parse", "--short=8", "HEAD")
    changed = _output("git", "status", "--porcelain", "--", "app", "shaders", "assets")
    return f"{head}+" if changed else head


def _output(*command):
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.stdout.strip()
