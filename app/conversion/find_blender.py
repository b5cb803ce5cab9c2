"""Find a Blender, or a Python that has the package `bpy`, and its version."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..errors import AppError, ConversionError
from ..file_io import read_file, write_file
from ..resources import cache_folder

VARIABLE = "RIGVIEW_BLENDER"  # environment variable that names it, as --blender does
_INSIDE = ("blender", "blender.exe", "Contents/MacOS/Blender", "bin/python", "Scripts/python.exe")
_BPY = "import bpy; print('Blender', bpy.app.version_string); print(bpy.__file__)"
_SECONDS = 60.0  # until a program has said its version
_MAX_BYTES = 1 << 20  # of the list of versions
_HINT = "install Blender (blender.org), or name one with --blender PATH"


class Blender(NamedTuple):
    """A program that converts files.

    Attributes
    ----------
    program
        Its path.
    version
        As it says it: "4.5.15 LTS".
    is_python
        Whether it is a Python that has `bpy`.
    """

    program: str
    version: str
    is_python: bool

    @property
    def number(self) -> tuple[int, ...]:
        """Major and minor version."""
        return tuple(map(int, re.findall(r"\d+", self.version)[:2]))

    def command(self, script: Path, folder: Path) -> list[str]:
        """Return the command that runs a script with a folder as its argument."""
        if self.is_python:
            return [self.program, "-I", "-B", str(script), str(folder)]
        offline = ["--offline-mode"] if self.number >= (4, 2) else []
        options = ["--background", "--factory-startup", "--disable-autoexec", *offline]
        return [self.program, *options, "--python", str(script), "--", str(folder)]


def environment(folder: Path | None = None) -> dict[str, str]:
    """Return the environment of a Blender that sees no scripts or settings of the user.

    In `folder` it finds empty settings, and puts its temporary files.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("BLENDER_", "PYTHON", "RIGVIEW_")) and name != "PXR_PLUGINPATH_NAME"
    }
    if folder is None:
        return kept
    kinds = ("RESOURCES", "CONFIG", "SCRIPTS", "EXTENSIONS", "DATAFILES")
    names = [f"BLENDER_USER_{kind}" for kind in kinds]
    names += ["TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"]
    return kept | dict.fromkeys(names, str(folder))


def find_blender(named: str | None) -> Blender:
    """Return the Blender that was named, by a setting or the environment; else the first found.

    Raises
    ------
    ConversionError
        There is none, or what was named is none.
    """
    named = named or os.environ.get(VARIABLE)
    if named:
        program = _program(Path(named).expanduser()) or shutil.which(named)
        if program is None:
            raise ConversionError(f"there is no Blender at {named!r}", hint=_HINT)
        return _versioned(program)
    reasons = []
    for candidate in _candidates():
        try:
            return _versioned(candidate)
        except ConversionError as error:
            reasons.append(error)
    if reasons:
        raise reasons[0]
    raise ConversionError("no Blender was found, which reads this format", hint=_HINT)


def _program(path: Path) -> str | None:
    """Return the program at a path, or in a folder; None without one."""
    if path.is_dir():
        return next((str(path / name) for name in _INSIDE if (path / name).is_file()), None)
    return os.path.abspath(path) if path.is_file() else None


def _candidates() -> Iterator[str]:
    """Yield programs that may be Blender, the most likely first."""
    found = shutil.which("blender")
    # Windows looks in the working folder too, where a character from elsewhere may lie
    if found is not None and Path(found).absolute().parent != Path.cwd():
        yield found
    yield from (str(path) for path in _usual() if path.is_file())


def _usual() -> list[Path]:
    """Return the usual places of this system."""
    if sys.platform == "win32":
        roots = [os.environ.get(name, "") for name in ("ProgramFiles", "ProgramFiles(x86)")]
        installed = "Blender Foundation/Blender*/blender.exe"
        found = [path for root in roots if root for path in Path(root).glob(installed)]
        return sorted(found, reverse=True)  # the newest first
    return [
        Path("/Applications/Blender.app/Contents/MacOS/Blender"),
        Path("~/Applications/Blender.app/Contents/MacOS/Blender").expanduser(),
        Path("/snap/blender/current/blender"),
        Path("/var/lib/flatpak/exports/bin/org.blender.Blender"),
        Path("~/.local/share/flatpak/exports/bin/org.blender.Blender").expanduser(),
    ]


def _versioned(program: str) -> Blender:
    """Return a program with its version, which is cached until its files change."""
    program = os.path.abspath(program)
    cache = cache_folder() / "conversion" / "programs.json"
    known: dict[str, dict[str, object]] = {}
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        known = json.loads(read_file(cache, _MAX_BYTES))
        entry = known.get(program, {})
        files = entry.get("files")
        if isinstance(files, dict) and files and all(_stamp(f) == s for f, s in files.items()):
            return Blender(program, str(entry["version"]), bool(entry["is_python"]))
    found, files = _asked(program)
    stamps = {path: _stamp(path) for path in (program, *files)}
    entry = {"version": found.version, "is_python": found.is_python, "files": stamps}
    with suppress(AppError):  # it is asked again the next time
        others = known if isinstance(known, dict) else {}
        write_file(cache, json.dumps({**others, program: entry}).encode(), make_folder=True)
    return found


def _stamp(path: str) -> str:
    status = os.stat(path)
    return f"{os.path.realpath(path)} {status.st_mtime_ns} {status.st_size}"


def _asked(program: str) -> tuple[Blender, list[str]]:
    """Return a program with the version that it says, and the files of its `bpy`."""
    said = _said(program, "--version")
    version = re.search(r"^Blender (\d+\.\d+.*)$", said, re.MULTILINE)
    if version is not None:
        return Blender(program, version[1].strip(), is_python=False), []
    if not said.startswith("Python 3"):
        raise ConversionError(f"{program!r} is no Blender", hint=_HINT)
    said = _said(program, "-I", "-B", "-c", _BPY)
    version = re.search(r"^Blender (\d+\.\d+.*)$", said, re.MULTILINE)
    if version is None:
        raise ConversionError(f"the Python {program!r} has no working bpy", hint=_HINT)
    files = [line for line in said.splitlines() if os.path.isfile(line)]
    return Blender(program, version[1].strip(), is_python=True), files


def _said(program: str, *arguments: str) -> str:
    """Return the output of a program."""
    try:
        ran = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env=environment(),
            timeout=_SECONDS,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConversionError(f"{program!r} cannot be run: {reason}", hint=_HINT) from None
    except subprocess.TimeoutExpired:
        message = f"{program!r} did not say its version within {_SECONDS:g} s"
        raise ConversionError(message, hint=_HINT) from None
    return ran.stdout.decode(errors="replace")
