"""Outputs of the command line as hashes: two versions of the program that give the same are alike.

Every command runs on every model of a folder and on the bundled character, at fixed times and
small sizes. Exit code, standard output, standard error and each written file of every run go into
one JSON file; `--compare` prints what differs between two of them.

    python tests/tools/output_hashes.py --models ../shared/models --out after.json --keep-texts
    python tests/tools/output_hashes.py --compare before.json after.json --filter 'old=new'
"""

import argparse
import difflib
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

LIMIT = 600  # seconds that a command may take
SHOWN = 60  # lines of a difference that are printed
WIDEST = 200  # characters of such a line
QUIET: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "check": False}
BUNDLED = "bundled character"
PROGRAM = "program"

# OUT/ is the run's own folder, other words in capitals are in SHORT and `stand_ins`. The bundled
# character is opened without a name, and its motion file lies beside it: there is no MODEL, MOTION.
EACH = {
    "info json": "info MODEL --json",
    "info text": "info MODEL",
    "check json": "check MODEL MOTION --format json",
    "check text": "check MODEL",
    "check joins": "check MODEL --format json --joins",
    "pose": "pose MODEL --no-motion --time 0,0.4",
    "pose npz": "pose MODEL --no-motion --phase 0.25,0.6 --vertices -o OUT/pose.npz",
    "pose rest": "pose MODEL --no-motion --pose rest",
    "pose motion": "pose MODEL MOTION --time 0,0.7,1.5 --loop loop",
    "events json": "events MODEL MOTION --time 0..6 --json",
    "events text": "events MODEL MOTION --time 0..3 --step 0.05 --loop loop --speed 1.5",
    "curves svg": "curves MODEL --joint JOINT -o -",
    "curves png": "curves MODEL --joint JOINT --rotation quaternion -o OUT/curves.png",
    "render": "render MODEL --no-motion --time 0.4 SIZE -o OUT/still.png",
    "render drawn": "render MODEL --no-motion --phase 0.5 SIZE LINES --samples 1 -o OUT/drawn.png",
    "render normals": "render MODEL --no-motion --view-mode normals SIZE -o OUT/normals.png",
    "render rest": "render MODEL --pose rest --no-background SIZE -o OUT/rest.png",
    "render crowd": "render MODEL --no-motion --crowd 2x2 --time 0.4 SIZE -o OUT/crowd.png",
    "render motion": "render MODEL MOTION --time 0.7 SIZE -o OUT/motion.png",
    "render exr": "render MODEL --no-motion --time 0.4 SMALL -o OUT/light.exr",
    "render sequence": "render MODEL --no-motion --frames 0..4:2 SMALL -o OUT/at.png",
    "render gif": "render MODEL --no-motion --frames 0..3 SMALL -o OUT/film.gif",
    "render mp4": "render MODEL --no-motion --frames 0..3 SMALL -o OUT/film.mp4",
    "turntable": "turntable MODEL --no-motion --seconds 1 --frame-rate 3 SMALL -o OUT/round.webp",
    "sheet": "sheet MODEL --no-motion --phase 0,0.4 SMALL --jobs 1 -o OUT/sheet.png",
    "report": "report MODEL --animation 0 SMALL --jobs 1 -o -",
    "page": "page MODEL --animation 0 SMALL -o OUT/page.html",
    "thumbnail": "thumbnail MODEL --size 64 -o OUT/thumbnail.png",
    "bake": "bake MODEL MOTION -o OUT/baked.glb --json",
    "bake rate": "bake MODEL --fps 5 -o OUT/baked.glb",
    "diff json": "diff FIRST SECOND --json SMALL -o OUT/heat.png",
    "diff text": "diff FIRST SECOND --animation 0",
    "diff same": "diff SECOND SECOND --json",
}
ONLY_BUNDLED = {
    "pose set": "pose SET --time 0,0.6,1.2",
    "pose strafe": "pose --set strafe.weight=1 --set direction=120 --set aim.weight=0.5 --time 1",
    "render set": "render SET --time 1 SIZE -o OUT/set.png",
    "events set": "events SET --time 0..4 --json",
}
ONCE = {
    "version": "--version",
    "rules": "check --rules",
    "folder check": "check MODELS --format json --jobs 2",
    "folder sheet": "sheet MODELS --phase 0,0.5 SMALL --jobs 1 -o OUT/sheet.png",
    "folder sheets": "sheet MODELS --phase 0.3 SMALL --jobs 1 -o OUT/{model}.png",
    "unknown option": "render --colour red -o OUT/none.png",
    "unknown command": "rendr OUT/none.glb -o OUT/none.png",
    "unknown clip": "pose --animation Wlk",
    "unknown joint": "curves --joint Hipz -o -",
    "unknown parameter": "pose --set sped=2",
    "no file": "info OUT/none.glb",
}
HELP = "view render sheet turntable report page curves info pose events check diff bench bake"
SHORT = {
    "SIZE": "--resolution 128,128",
    "SMALL": "--resolution 48,48",
    "LINES": "--view left --ortho --skeleton --joint-names --wireframe --bounds --grid",
    "SET": "--set speed=3 --set wave.weight=1 --set look.weight=1 --at 0.4:set:speed=1,0.3 "
    "--set turn.weight=0.5 --set turn=20 --at 0.8:fade:base=Run,0.3,cubic,smooth,in_phase",
}

MOTION = """\
version = 1
parameters.x = { default = 0.2, range = [0, 1], damp = 0.1 }
clips."#0".events = [{ name = "early", phase = 0.125 }, { name = "late", phase = 0.75 }]
spaces.mix = { kind = "line", x = "x", clips = [{ clip = "#0", at = 0 }, { clip = "#0", at = 1 }] }
additives.rise = { source = "#0", reference = { clip = "#0", time = 0 } }
layers = [
  { name = "base", play = "mix" },
  { name = "still", play = { clip = "#0", time = 0.3 }, mask = "touched", weight = 0.4 },
  { name = "more", play = "rise", weight = 0.5, rotation = "slerp" },
]
at = [
  { time = 0.5, set = { name = "still.weight", value = 0.9, seconds = 0.3 } },
  { time = 1.25, seek = { layer = "base", time = 0.1 } },
]
"""


@dataclass(frozen=True)
class Place:
    """Where the program runs, and where it writes."""

    program: list[str]
    cwd: Path
    work: Path  # a folder that is thrown away
    keep_texts: bool

    def folder(self, entry: str) -> Path:
        """Return the folder that a run writes into."""
        return self.work / re.sub(r"[^\w.]+", "_", entry)

    def plain(self, data: bytes) -> bytes:
        """Without the names of folders, which are others in every run and on every machine."""
        data = data.replace(os.fsencode(self.work), b"<work>")
        return data.replace(os.fsencode(self.cwd), b"<cwd>")

    def environment(self) -> dict[str, str]:
        """Empty settings and cache, a fixed terminal width and language."""
        homes = {f"XDG_{name}_HOME": f"{self.work}/{name}" for name in ("CONFIG", "DATA", "CACHE")}
        fixed = {"COLUMNS": "80", "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1"}
        return os.environ | homes | fixed

    def sha256(self, data: bytes) -> str:
        """Return the hash of what was written."""
        return hashlib.sha256(self.plain(data)).hexdigest()

    def run(self, entry: str, words: list[str]) -> dict[str, Any]:
        """Run a command of the program and return its result."""
        folder = self.folder(entry)
        folder.mkdir()
        line, env = [*self.program, *words], self.environment()
        told: dict[str, Any] = {"command": self.plain(os.fsencode(shlex.join(words))).decode()}
        try:
            done = subprocess.run(line, cwd=self.cwd, env=env, timeout=LIMIT, **QUIET)
        except subprocess.TimeoutExpired:
            return told | {"exit": f"still running after {LIMIT} s"}
        streams = {"stdout": self.plain(done.stdout), "stderr": self.plain(done.stderr)}
        told |= {name: self.sha256(data) for name, data in streams.items()}
        if self.keep_texts:
            told["texts"] = {k: v.decode(errors="backslashreplace") for k, v in streams.items()}
        paths = [path for path in folder.rglob("*") if path.is_file()]
        files = {str(p.relative_to(folder)): self.sha256(p.read_bytes()) for p in paths}
        return told | {"exit": done.returncode, "files": files}


def moved_node(path: Path) -> str:
    """Return the number of the node that the first channel of a glTF file moves; else 0."""
    data = path.read_bytes()
    if data.startswith(b"glTF"):
        data = data[20 : 20 + int.from_bytes(data[12:16], "little")]
    try:
        return f"#{json.loads(data)['animations'][0]['channels'][0]['target']['node']}"
    except (ValueError, KeyError, IndexError):
        return "#0"


def stand_ins(place: Place, models: str, subject: str) -> dict[str, list[str]]:
    """Return the values of the placeholders in capitals."""
    swaps = {name: text.split() for name, text in SHORT.items()}
    swaps["MODELS"] = [models]
    swaps["SECOND"] = [str(place.folder(f"{subject}: bake rate") / "baked.glb")]
    if subject == BUNDLED:
        first = str(place.folder(f"{subject}: bake") / "baked.glb")
        return swaps | {"MODEL": [], "MOTION": [], "JOINT": ["#1"], "FIRST": [first]}
    if subject != PROGRAM:
        model = f"{models.rstrip('/')}/{subject}"
        swaps |= {"MODEL": [model], "FIRST": [model], "JOINT": [moved_node(place.cwd / model)]}
        swaps["MOTION"] = ["--motion", str(place.work / "own.motion.toml")]
    return swaps


def commands(place: Place, models: str, only: str) -> Iterator[tuple[str, list[str]]]:
    """Everything there is to run, by entry; the bundled character, which takes longest, first."""
    folder = place.cwd / models
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".gltf", ".glb"))
    subjects = {BUNDLED: EACH | ONLY_BUNDLED}
    subjects |= {path.relative_to(folder).as_posix(): EACH for path in paths}
    subjects[PROGRAM] = ONCE | {f"help {name}": f"{name} --help" for name in HELP.split()}
    for subject in [name for name in subjects if re.search(only, name)]:
        swaps = stand_ins(place, models, subject)
        for name, line in subjects[subject].items():
            entry = f"{subject}: {name}"
            words = [new for word in line.split() for new in swaps.get(word, [word])]
            yield entry, [word.replace("OUT/", f"{place.folder(entry)}/") for word in words]


def capture(args: argparse.Namespace) -> int:
    """Run everything and write the file of hashes."""
    start = time.perf_counter()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="rigview-") as work:
        program, cwd = shlex.split(args.program), Path(args.cwd).resolve()
        place = Place(program, cwd, Path(work).resolve(), args.keep_texts)
        (place.work / "own.motion.toml").write_text(MOTION)
        every = dict(commands(place, args.models, args.only))
        last = {k: every[k] for k in every if every[k][0] == "diff"}  # needs what is baked
        with ThreadPoolExecutor(args.jobs) as pool:
            for stage in ({k: v for k, v in every.items() if k not in last}, last):
                found |= zip(stage, pool.map(place.run, stage, stage.values()), strict=True)
    text = json.dumps({"version": 1, "entries": found}, indent=1, sort_keys=True)
    Path(args.out).write_text(text + "\n")
    sys.stdout.write(f"{args.out}: {len(found)} entries, {time.perf_counter() - start:.0f} s\n")
    return 0


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; JSON gets a line for each value."""
    try:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False).splitlines()
    except ValueError:
        return text.splitlines()


def text_difference(old: str, new: str) -> Iterator[str]:
    """Yield a unified difference of two texts, cut short."""
    lines = difflib.unified_diff(lines_of(old), lines_of(new), "first", "second", lineterm="", n=1)
    yield from (f"    {line[:WIDEST]}" for line in islice(lines, SHOWN))


def differences(
    a: dict[str, Any], b: dict[str, Any], filters: list[tuple[str, ...]]
) -> Iterator[str]:
    """Yield what differs between two entries, a line each."""
    for key in ("command", "exit"):
        if a[key] != b[key]:
            yield f"  {key}: {a[key]} | {b[key]}"
    old, new = a.get("files", {}), b.get("files", {})
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield f"  file {name} differs" + ("" if name in old and name in new else ": only one")
    for stream in ("stdout", "stderr"):
        if a.get(stream) == b.get(stream):
            continue
        texts = [entry.get("texts", {}).get(stream) for entry in (a, b)]
        if None in texts:
            yield f"  {stream} differs"
            continue
        for pattern, replacement in filters:
            texts = [re.sub(pattern, replacement, text) for text in texts]
        if texts[0] != texts[1]:
            yield f"  {stream} differs"
            yield from text_difference(*texts)


def compare(args: argparse.Namespace) -> int:
    """Print each entry that differs between two files of hashes; 1 where there is any."""
    first, second = (json.loads(Path(path).read_text())["entries"] for path in args.compare)
    filters = [text.partition("=")[::2] for text in args.filter]
    count = 0
    for name in sorted(k for k in first | second if re.search(args.only, k.partition(": ")[0])):
        if name in first and name in second:
            lines = list(differences(first[name], second[name], filters))
        else:
            lines = [f"  only in {args.compare[0 if name in first else 1]}"]
        if lines:
            count += 1
            sys.stdout.write("\n".join([name, *lines]) + "\n")
    sys.stdout.write(f"{len(first)} and {len(second)} entries, {count} differ\n")
    return int(count > 0)


def main() -> int:
    """Read the command line: capture, or compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--program", default=f"{shlex.quote(sys.executable)} -m rigview")
    parser.add_argument("--cwd", default=".", help="folder that the program runs in")
    parser.add_argument("--models", default="../shared/models", help="seen from --cwd")
    parser.add_argument("--only", default="", metavar="REGEX", help="only models whose name fits")
    parser.add_argument("--jobs", type=int, default=2, help="commands side by side (2)")
    parser.add_argument("--keep-texts", action="store_true", help="stdout and stderr as they are")
    parser.add_argument("--out", metavar="FILE", help="the JSON file to write")
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"), help="two such files")
    how = "of both kept texts, before they are compared; = within the REGEX is \\x3d"
    parser.add_argument("--filter", action="append", default=[], metavar="REGEX=TEXT", help=how)
    args = parser.parse_args()
    if bool(args.out) == bool(args.compare):
        parser.error("either --out or --compare")
    return compare(args) if args.compare else capture(args)


if __name__ == "__main__":
    sys.exit(main())
