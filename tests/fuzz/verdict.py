"""Says what is wrong with the end, the messages and the files of a run."""

import io
import json
import re
import signal
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from PIL import Image

from rigview.fields.command_groups import MANY_FILES
from rigview.images.exr import frame_light
from rigview.loading.load import load

MEMORY = 1 << 31  # bytes of the process
CODES = {0, 2, 3, 5}  # allowed for all commands
MORE_CODES = {"check": {1}, "diff": {1}, "view": {4}}
UNCAUGHT = 97  # exit code of a process with an exception outside the entry point
SETTINGS = "config/rigview/settings.toml"
OUTPUTS = ("out.", "failed-", f"{SETTINGS}.broken")
_SOURCE = re.compile(r'File "[^"]*?/(?:app|tests/fuzz)/([^"]+)", line \d+,? in (\S+)')
_WARNING = re.compile(r"^\S+?/(app/\S+\.py):\d+: (\w+Warning): ", re.M)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NOT_OURS = ("worker.py", "run.py", "verdict.py", "cli/main.py")


@dataclass(frozen=True)
class Result:
    """What a case did.

    Attributes
    ----------
    code
        The exit code; negative: the number of a signal.
    seconds
        Of the processor.
    memory
        Peak, bytes.
    finding
        What is wrong, in words that are the same for the same fault; empty: nothing.
    """

    code: int
    seconds: float
    memory: int
    out: str
    err: str
    finding: str = ""

    def judged(self, finding):
        """The result with a finding."""
        return replace(self, finding=finding)


def judge_end(result, arguments):
    """What is wrong with the end of a run, or with its messages."""
    return _wrong_end(result, arguments[0]) or _wrong_messages(result, arguments)


def _wrong_end(result, command):
    code, err = result.code, result.err
    if code in (-signal.SIGXCPU, -signal.SIGALRM, -signal.SIGKILL):
        return f"time {place(err, first=True)}"
    if code < 0:
        return f"{signal.Signals(-code).name} {place(err, first=True)}"
    if code == UNCAUGHT:
        name = re.findall(r"^([\w.]+)(?::|$)", err, re.MULTILINE)
        return f"{name[-1] if name else 'exception'} {place(err)}"
    if code in (70, 71):
        return {70: "internal error", 71: "out of memory"}[code]
    if result.memory > MEMORY:
        return f"memory of {command}"
    if code not in CODES | MORE_CODES.get(command, set()):
        return f"exit code {code} of {command}"
    return ""


def _wrong_messages(result, arguments):
    err, command = result.err, arguments[0]
    if "Traceback" in err:
        return f"traceback {place(err)}"
    warned = _WARNING.search(err)
    if warned:
        return f"{warned[2]} {warned[1]}"
    texts = {"stderr": err} if "-o" in arguments else {"stderr": err, "stdout": result.out}
    for name, text in texts.items():
        if _CONTROL.search(text):
            return f"control character on {name} of {command}"
    lines = err.splitlines()
    if result.code > 1 and not (lines and all(line.startswith("rigview: ") for line in lines)):
        return f"error message of {command}"
    return ""


def judge_files(folder, home, case, arguments, code):
    """What is wrong with the files after a run: changed, left over, half-written or missing."""
    found = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.is_file() or path.is_symlink()
    }
    written = {name for name in arguments if name.startswith("out.")}
    if "--in-place" in arguments and code == 0:
        written |= {arguments[1]}
    if arguments[0] == "settings_file":
        written |= {SETTINGS}
    for name, data in case.files.items():
        if name not in written and (name not in found or found[name].read_bytes() != data):
            return f"changed input {name}"
    left = [name for name in found if name not in case.files and not name.startswith(OUTPUTS)]
    if arguments[0] == "open_window":
        left = [name for name in left if name not in (SETTINGS, "config/rigview/imgui.ini")]
    left += [path.name for path in home.rglob("*.tmp*")]
    if left:
        return "leftover file " + re.sub(r"\d+", "N", left[0])
    partly = arguments[0] in MANY_FILES and "b.glb" in arguments  # made of the readable files
    if code not in (0, 1) and not partly and any(name.startswith("out.") for name in found):
        return f"file written although the exit code is {code}"
    if code == 0 and written - set(found):
        return "no file written although the exit code is 0"
    return ""


def place(text, *, first=False):
    """The last place of a traceback in the program; the `first` of a dump of faulthandler."""
    found = [f"{path} in {function}" for path, function in _SOURCE.findall(text)]
    ours = [each for each in found if not each.startswith(_NOT_OURS)]
    if not ours:
        return "somewhere"
    return ours[0] if first else ours[-1]


def validate_output(arguments):
    """Read the written files, and JSON on standard output; AssertionError if that fails."""
    try:
        if "--json" in arguments or "json" in arguments:
            json.loads(Path("../stdout").read_bytes(), parse_constant=_no_constant)
        for name in arguments:
            if name.startswith("out."):
                READERS[name.partition(".")[2]](Path(name).read_bytes())
    except Exception as error:
        traceback.print_exc()
        raise AssertionError(f"invalid output: {type(error).__name__}") from None


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def _read_picture(data):
    with Image.open(io.BytesIO(data)) as picture:
        picture.load()


def _read_light(data):
    import av

    with av.open(io.BytesIO(data), "r", format="exr_pipe") as container:
        light = frame_light(next(container.decode(video=0)))
    assert np.isfinite(light).all()


def _read_arrays(data):
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        assert all(array.size >= 0 for array in arrays.values())


def _read_page(data):
    assert data.rstrip().endswith(b"</html>")


READERS = {
    "png": _read_picture,
    "gif": _read_picture,
    "jpg": _read_picture,
    "exr": _read_light,
    "npz": _read_arrays,
    "json": lambda data: json.loads(data, parse_constant=_no_constant),
    "svg": ElementTree.fromstring,
    "html": _read_page,
    "glb": load,
}
