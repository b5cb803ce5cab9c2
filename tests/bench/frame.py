"""Measures a frame: a character at 512 x 512 pixels, one sample, full materials, read back.

Usage: python tests/bench/frame.py [--rounds N] [--size N] [MODEL ...]

Milliseconds of an animated frame (pose, draw, read back): the median of the medians of all rounds,
the least frame, and the CPU time of all threads and processes. Then the ratio to the median of
another renderer: median, least and greatest over the rounds. A round is a burst of frames with each
of our settings, the other renderer, and the bursts again, so that other load of the machine affects
both sides.

The camera is that of ../shared/bench. three.js is measured if THREE_DIR is a folder with three.js
in its node_modules, f3d if F3D_PYTHON is an interpreter with f3d; both only with the models of
../shared. The CPU time of other renderers is the difference between many and few frames, without
their start. Ratios are valid on an idle machine only: the drawing thread of Chromium has niceness
-8 if permitted; on a busy machine use CPU times. Linux only.
"""

import argparse
import contextlib
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
sys.path.insert(0, str(ROOT))

from rigview.loading.load import load  # noqa: E402
from rigview.render.offscreen import OffscreenRenderer  # noqa: E402
from rigview.scene.scene import Scene  # noqa: E402

BURST = 60  # frames
WARM = 10  # frames before them that are not measured
LOOKS = {  # name: shadow, grid
    "rigview --no-shadow --no-grid": (False, False),
    "rigview --no-grid": (True, False),
    "rigview": (True, True),
}
CLIPS: dict[str, str | None] = json.loads((SHARED / "bench/assets.json").read_text())
CHILD_SUBREAPER = 36  # of prctl: orphaned processes become children, so that their CPU time counts


@dataclass(slots=True)
class Timings:
    """Milliseconds per frame of one renderer, by rounds."""

    medians: list[float] = field(default_factory=list)
    least: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def add(self, median: float, least: float, cpu: float) -> None:
        """Add a round."""
        self.medians.append(median)
        self.least.append(least)
        self.cpu.append(cpu)

    def line(self) -> str:
        """Return the median of medians, the least frame, and the median CPU time."""
        middle, cpu = statistics.median(self.medians), statistics.median(self.cpu)
        return f"{middle:8.2f} {min(self.least):8.2f} {cpu:8.2f}"

    def ratio(self, peer: "Timings") -> str:
        """Return the median ratio of the rounds, and its range."""
        found = [a / b for a, b in zip(self.medians, peer.medians, strict=True)]
        return f"{statistics.median(found):6.2f} ({min(found):.2f} to {max(found):.2f})"


class Ours:
    """One offscreen, and a scene a look."""

    def __init__(self, path: Path, clip: str, size: int) -> None:
        model = load(path)
        names = [clip.name for clip in model.clips]
        self._offscreen = OffscreenRenderer((size, size), 1)
        self._scenes: dict[str, Scene] = {}
        for look, (shadow, grid) in LOOKS.items():
            scene = self._scenes[look] = Scene()
            scene.display.grid, scene.display.shadow = grid, shadow
            playing = names.index(clip) if clip in names else len(names) and 0
            scene.show(model).play_clip(playing, 0.0)
            scene.frame(1.0)
            scene.update(0.1)
            _set_common_camera(scene)

    def burst(self, look: str) -> tuple[list[float], float]:
        """Return the milliseconds of each frame, and the mean CPU time."""
        for k in range(WARM):
            self._frame(look, k)
        taken, begun = [], time.process_time()
        for k in range(BURST):
            start = time.perf_counter()
            self._frame(look, k)
            taken.append((time.perf_counter() - start) * 1e3)
        return taken, (time.process_time() - begun) * 1e3 / BURST

    def _frame(self, look: str, number: int) -> None:
        scene, offscreen = self._scenes[look], self._offscreen
        scene.update(number / 60 % 0.65)
        offscreen.renderer.draw(scene, offscreen.target)
        offscreen.target.read()

    def release(self) -> None:
        """Free the context."""
        self._offscreen.release()


def _set_common_camera(scene: Scene) -> None:
    corners = scene.instances.active.bounds.corners(scene.character.pose)
    box = np.stack([corners.min(axis=0), corners.max(axis=0)]).astype(float)
    radius = np.linalg.norm(box[1] - box[0]) / 2
    way = np.array([0.5, 0.4, 1.0])
    scene.camera.orbit.fov = np.radians(45.0)
    scene.camera.orbit.target = box.mean(axis=0)
    scene.camera.orbit.move_to(scene.camera.orbit.target + way / np.linalg.norm(way) * radius * 2.7)


def three(name: str, size: int) -> tuple[float, float, float]:
    """Return the median and the least frame of three.js in headless Chromium, and its CPU time."""

    def run(frames: int) -> tuple[dict[str, float], float]:
        with tempfile.TemporaryDirectory() as place:
            for folder in ("_data/out", "_data/png"):
                (Path(place) / folder).mkdir(parents=True)
            command = [
                sys.executable,
                SHARED / "bench/three_render.py",
                "gl-egl",
                f"[{size}]",
                name,
            ]
            return _answer([str(part) for part in command], place, frames)

    return _of_peer(run, 30, 400, 1)


def f3d(name: str, size: int) -> tuple[float, float, float]:
    """Return the median and the least frame of f3d, and its CPU time."""
    command = [os.environ["F3D_PYTHON"], str(SHARED / "bench/render_py.py"), "f3d", name, str(size)]
    # each frame is drawn once with and once without reading back
    return _of_peer(lambda frames: _answer(command, str(SHARED / "bench"), frames), 10, 40, 2)


def _of_peer(
    run: Callable[[int], tuple[dict[str, float], float]], few: int, many: int, times: int
) -> tuple[float, float, float]:
    _, start = run(few)
    found, whole = run(many)
    return found["frame_readback_ms"], found["min_ms"], (whole - start) * 1e3 / (many - few) / times


def _answer(command: list[str], place: str, frames: int) -> tuple[dict[str, float], float]:
    """Return the printed figures of a renderer, and the CPU seconds of its processes."""
    environment = os.environ | {"FRAMES": str(frames)}
    begun = _cpu_of_children()
    ran = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    with contextlib.suppress(ChildProcessError):  # no child processes are left
        while True:
            os.waitpid(-1, 0)
    for line in ran.stdout.splitlines():
        found = json.loads(line) if line.startswith("{") else {}
        if "min_ms" in found:
            return dict(found), _cpu_of_children() - begun
    raise SystemExit(f"{command[0]} gave no figures:\n{ran.stdout[-500:]}{ran.stderr[-500:]}")


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(name: str, rounds: int, size: int) -> dict[str, Timings]:
    """Return the timings of our settings and of the other renderers."""
    peers = {
        peer: call
        for peer, call, wanted in (("three.js", three, "THREE_DIR"), ("f3d", f3d, "F3D_PYTHON"))
        if wanted in os.environ and name in CLIPS
    }
    taken = {label: Timings() for label in (*LOOKS, *peers)}
    shared = SHARED / "models" / name
    ours = Ours(shared if shared.exists() else Path(name), CLIPS.get(name) or "", size)
    for _ in range(rounds):
        bursts = {look: [ours.burst(look)] for look in LOOKS}
        for peer, call in peers.items():
            taken[peer].add(*call(name, size))
            for look, found in bursts.items():
                found.append(ours.burst(look))
        for look, found in bursts.items():
            middles = [statistics.median(frames) for frames, _ in found]
            least = min(min(frames) for frames, _ in found)
            cpu = statistics.mean(cpu for _, cpu in found)
            taken[look].add(statistics.mean(middles), least, cpu)
    ours.release()
    return taken


def main() -> None:
    """Run the rounds and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("models", nargs="*", default=["Fox.glb"])
    args = parser.parse_args()
    ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1, 0, 0, 0)
    for name in args.models:
        taken = measure(name, args.rounds, args.size)
        peers = [label for label in taken if label not in LOOKS]
        title = f"{name}, {args.size} x {args.size}, ms"
        heads = "".join(f"{'of ' + peer:>24}" for peer in peers)
        sys.stdout.write(f"{title:32}{'median':>8} {'least':>8} {'CPU':>8}{heads}\n")
        for label, found in taken.items():
            ratios = "".join(f"{found.ratio(taken[p]):>24}" for p in peers if label in LOOKS)
            sys.stdout.write(f"  {label:30}{found.line()}{ratios}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
