"""A program that behaves like Blender towards a conversion, as the words of the file say.

The words after ``BLENDER``: ``two`` (another .glb), ``links:NAME``, ``loses``, ``slow``, ``crash``,
``broken``, ``newer``, ``hungry``, ``chatty``, ``junk``, ``nothing``; else it converts.
"""

import json
import sys
from pathlib import Path

from tests.support.light_mannequin import light_mannequin

ONE = light_mannequin(frozenset(("Idle", "Walk")))
TWO = light_mannequin(frozenset(("Idle", "Walk", "Run")))
_PROGRAM = """#!{python} -IS
import json, os, signal, sys, threading, time

here = {here!r}
if "--version" in sys.argv:
    print("Blender {version}")
    sys.exit()
folder = sys.argv[-1]
if sys.platform == "linux":
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
with open(folder + "/request.json") as file:
    request = json.load(file)
with open(request["source"], "rb") as file:
    words = file.read().decode().split()[1:]
print("rigview: reading", flush=True)
result = {{"version": "{version}", "warnings": [], "links": []}}
beside = os.path.dirname(request["source"])
for word in words:
    if word.startswith("links:"):
        result["links"].append(os.path.normpath(os.path.join(beside, word[6:])))
with open(here + "/calls", "a") as file:
    environment = [name for name in os.environ if "BLENDER" in name or "PYTHON" in name]
    call = {{"arguments": sys.argv[1:], "request": request, "environment": environment}}
    call["found"] = list(map(os.path.isfile, result["links"]))
    file.write(json.dumps({{**call, "process": os.getpid(), "folder": folder}}) + "\\n")
if "loses" in words:
    result["warnings"].append("the action Old is left out: no visible object plays it")
if "slow" in words:
    print("rigview: sampling 1 of 2: Walk", flush=True)
    with open(os.environ["TMPDIR"] + "/left behind", "w"):
        time.sleep(60)
if "crash" in words:
    print("Error: EXCEPTION_ACCESS_VIOLATION in mesh 'Body'", flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)
if "hungry" in words:
    print("rigview: writing", flush=True)
    much = bytearray(os.urandom(1) * (300 << 20))
    time.sleep(60)
if "chatty" in words:
    for _ in range(200):
        print("x" * 1_000_000)
    time.sleep(60)
if "broken" in words:
    result["error"] = "the file is damaged: no mesh"
if "newer" in words:
    result["error"] = "Blender 9.9 saved it, which is newer than this one"
if "pause" in words:
    time.sleep(0.5)
if not {{"nothing", "broken", "newer"}} & set(words):
    data = b"junk" if "junk" in words else b""
    name = "two" if "two" in words else "one"
    with open(folder + "/result.glb", "wb") as file, open(here + "/" + name + ".glb", "rb") as glb:
        file.write(data or glb.read())
if "nothing" not in words:
    with open(folder + "/result.json", "w") as file:
        json.dump(result, file)
os._exit(0)
"""


class StandIn:
    """The program in a folder.

    Attributes
    ----------
    program
        Its path.
    """

    def __init__(self, folder: Path, version: str = "9.8.7 LTS") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.program = folder, folder / "blender"
        text = _PROGRAM.format(python=sys.executable, here=str(folder), version=version)
        self.program.write_text(text)
        self.program.chmod(0o755)
        (folder / "one.glb").write_bytes(ONE)
        (folder / "two.glb").write_bytes(TWO)

    @property
    def calls(self) -> list[dict]:
        """What it was called with, each time but for its version."""
        try:
            return list(map(json.loads, (self.folder / "calls").read_text().splitlines()))
        except FileNotFoundError:
            return []


def write(path: Path, words: str = "") -> Path:
    """Write a file of another format with words for the stand-in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    first = {".blend": "BLENDER-v300", ".fbx": "; FBX", ".dae": "<dae>"}[path.suffix.lower()]
    path.write_text(f"{first} {words}")
    return path
