"""Run Blender on one file in a child process with limits, which ends with this one."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..clock import WallClock
from ..errors import ConversionError
from ..file_io import read_file
from ..wording import one_line, shortened
from .conversion_settings import Settings
from .find_blender import Blender, environment

SCRIPT = Path(__file__).with_name("blender_script.py")
LOG = "blender.log"
RESULT = "result.glb"
_PROGRESS = b"rigview: "  # begins the lines of the output that say what is being done
_POLL = 0.05  # seconds
_MAX_LOG = 1 << 26  # bytes: 64 MiB
_MAX_RESULT = 1 << 24  # bytes of the JSON beside the .glb
_LONGEST = 300  # characters of a reason
_NOISE = re.compile(r"(rigview: |Blender \d|Blender quit|Read |Info: |Writing: |\s*File |WARN)")


def run_blender(
    blender: Blender, source: str, folder: Path, settings: Settings, say: Callable[[str], object]
) -> dict[str, Any]:
    """Convert a file; the .glb is `RESULT` in the folder, and Blender's output its `LOG`.

    Parameters
    ----------
    source
        Absolute path of the file.
    folder
        An empty folder, for all that Blender writes.
    say
        Called with what Blender is doing: "reading", "sampling 2 of 3: Walk".

    Returns
    -------
    dict
        "warnings", and "links": the absolute paths of the files that the file refers to.

    Raises
    ------
    ConversionError
        Blender cannot read the file, crashed, went beyond a limit or was cancelled.
    """
    request = {"source": source, "ending": os.path.splitext(source)[1].lower()}
    (folder / "request.json").write_text(json.dumps(request), encoding="ascii")
    with open(folder / LOG, "wb") as log:
        process = _start(blender.command(SCRIPT, folder), folder, log.fileno())
    doing = _Doing(folder / LOG, say)
    try:
        _wait(process, settings, doing)
    finally:
        _kill(process)
    return _result(process.returncode, folder, doing)


class _Doing:
    """What Blender says that it is doing, in its log."""

    def __init__(self, log: Path, say: Callable[[str], object]) -> None:
        self.log, self.now = log, "starting"
        self._say, self._read = say, 0

    def update(self) -> None:
        """Read the new lines of the log.

        Raises
        ------
        ConversionError
            It is too large.
        """
        with open(self.log, "rb") as file:
            file.seek(self._read)
            lines, _, _ = file.read(_MAX_LOG).rpartition(b"\n")
        self._read += len(lines) + (1 if lines else 0)
        if self._read > _MAX_LOG:
            raise ConversionError(f"printed more than {_MAX_LOG >> 20} MiB")
        for line in lines.splitlines():
            if line.startswith(_PROGRESS):
                self.now = one_line(line.removeprefix(_PROGRESS).decode(errors="replace"))
                self._say(self.now)


def _start(command: list[str], folder: Path, log: int) -> "subprocess.Popen[bytes]":
    """Start Blender in a process group of its own; it ends when its standard input is closed."""
    low = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment(folder),
            start_new_session=True,
            creationflags=low,
        )
    except OSError as error:
        raise ConversionError(f"cannot be run: {error.strerror}") from None


def _wait(process: "subprocess.Popen[bytes]", settings: Settings, doing: _Doing) -> None:
    """Wait for the end of the process within its limits."""
    clock = WallClock()
    while process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_POLL)
        doing.update()
        if settings.cancelled():
            raise ConversionError("was cancelled")
        if clock.now() > settings.seconds:
            raise ConversionError(
                f"took longer than {settings.seconds:g} s, {doing.now}",
                hint="allow more with --convert-timeout S",
            )
        if _resident(process.pid) > settings.memory:
            size = settings.memory / (1 << 30)
            raise ConversionError(f"needed more than {size:.3g} GiB of memory, {doing.now}")


def _resident(process: int) -> int:
    """Return the bytes in memory of a process; 0 where Linux's files about it are missing."""
    try:
        with open(f"/proc/{process}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill the processes of the group, if any is left."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    process.wait()


def _result(code: int, folder: Path, doing: _Doing) -> dict[str, Any]:
    """Return what the script wrote.

    Raises
    ------
    ConversionError
        It says why it failed, or wrote nothing.
    """
    result: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        result = json.loads(read_file(folder / "result.json", _MAX_RESULT))
    if "error" in result:
        raise ConversionError(f"cannot convert it: {_short(result['error'])}")
    if not result or not (folder / RESULT).is_file():
        end, hint = f"exited with code {code}", ""
        if doing.now == "reading":
            hint = "it may be of a newer version than this Blender's"
        if code < 0:
            with suppress(ValueError):
                end = f"crashed ({signal.Signals(-code).name})"
        raise ConversionError(f"{end}, {doing.now}{_last_reason(doing.log)}", hint=hint)
    return result


def _last_reason(log: Path) -> str:
    """Return the last line of the log that may be a reason, after a colon; "" without one."""
    with suppress(OSError):
        for line in reversed(read_file(log).decode(errors="replace").splitlines()):
            if line.strip() and not _NOISE.match(line):
                return f": {_short(line)}"
    return ""


def _short(text: object) -> str:
    return shortened(one_line(str(text).strip()), _LONGEST)
